import { planOf, type Tier } from '@talpa/contracts/plans';
import { change } from './change.ts';
import { errands } from './errands.ts';
import { forms, isSamePage, type Place } from './forms.ts';
import {
  isDirty,
  isSaved,
  type Model,
  newTab,
  type OpenForm,
  openForm,
  placeOf,
  plain,
  shownIn,
  type TabModel,
  tabOf,
  typedText,
  valuesAt,
} from './model.ts';
import { changedFields, type Kind, none } from './records.ts';
import { ownServer } from './servers.ts';
import type { Step } from './step.ts';

/** Types into the model's form. The plan of a user brings its limit along. */
function typeInto(form: OpenForm, field: string, text: string): void {
  const before = form.typed[field] ?? form.base[field];
  const typed = { ...form.typed, [field]: text };
  // Choosing the plan that is chosen already changes nothing.
  if (field === 'subscriptionTier' && 'proxyLimit' in form.base && text !== before)
    typed.proxyLimit = String(text === 'none' ? 0 : planOf(text as Tier).proxyLimit);
  form.typed = Object.fromEntries(
    Object.entries(typed).filter(([name, value]) => plain(value) !== plain(form.base[name])),
  );
}

/** Delivers each record to its open form. */
function notifyForms(model: Model): void {
  for (const { form } of model.tabs) {
    const of = form && forms[form.name].of;
    if (!form || !of) continue;
    const now = valuesAt(model.seen, { of, at: form.at });
    const { fields } = forms[form.name];
    if (!changedFields(form.base, now).some((field) => fields.includes(field))) continue;
    form.conflict = isDirty(form);
    if (!form.conflict) form.base = { ...now, password: none };
  }
}

/** The browser receives everything that has happened. */
function deliver(model: Model): void {
  if (!model.isOnline) return;
  for (const of of Object.keys(model.records) as Kind[])
    model.seen[of].splice(0, Infinity, ...model.records[of]);
  notifyForms(model);
}

function create(model: Model, of: 'proxy' | 'user', form: OpenForm): void {
  const { password, ...values } = shownIn(form);
  const at = model.records[of].length;
  model.records[of].push({ ...values, reason: none, ...(of === 'proxy' && { message: none }) });
  model.deeds.push({ record: { of, at }, text: `${of}.create` });
  if (of === 'proxy') model.serverOf.push(model.servers.push(ownServer(plain(values.serverName))) - 1);
}

function invite(model: Model, form: OpenForm): void {
  const { note = none, subscriptionTier = none, uses = none } = shownIn(form);
  if (note) model.invitations.push(`${note} ${subscriptionTier} ${uses}`);
}

function addDomain(model: Model, form: OpenForm): void {
  model.domains.push(`${form.at} ${shownIn(form).host}`);
  model.deeds.push({ record: { of: 'proxy', at: form.at }, text: 'proxy.addDomain' });
}

function save(model: Model, tab: TabModel, form: OpenForm): void {
  if (!isSaved(model, form)) return;
  const { of } = forms[form.name];
  tab.form = null;
  if (of) change(model, { of, at: form.at }, form.typed);
  else if (form.name === 'createInvitation') invite(model, form);
  else if (form.name === 'addDomain') addDomain(model, form);
  else create(model, form.name === 'createProxy' ? 'proxy' : 'user', form);
  deliver(model);
  if (form.name === 'createProxy') tab.form = openForm(model, 'install', 0);
  if (form.name === 'createInvitation') tab.form = openForm(model, 'invitationCode', 0);
  if (form.name === 'settings') tab.form = openForm(model, 'settings', 0);
}

/** Comes to a page of the history. */
function arrive(model: Model, tab: TabModel, now: number): void {
  const before = placeOf(tab);
  tab.now = now;
  if (isSamePage(before, placeOf(tab))) return;
  tab.form = placeOf(tab).name === 'settings' ? openForm(model, 'settings', 0) : null;
}

function push(model: Model, tab: TabModel, place: Place): void {
  tab.history.splice(tab.now + 1, Infinity, place);
  arrive(model, tab, tab.now + 1);
}

function load(model: Model, tab: TabModel): void {
  tab.isTouched = false;
  tab.form = placeOf(tab).name === 'settings' ? openForm(model, 'settings', 0) : null;
}

/** Takes the record's new values over, or keeps what was typed on top of them. */
function decide(model: Model, form: OpenForm, take: 'theirs' | 'mine'): void {
  const { of } = forms[form.name];
  if (!of) return;
  const mine = take === 'mine' ? form.typed : {};
  form.base = { ...valuesAt(model.seen, { of, at: form.at }), password: none };
  form.typed = {};
  form.conflict = false;
  for (const [field, text] of Object.entries(mine))
    if (plain(text) !== plain(form.base[field])) form.typed = { ...form.typed, [field]: text };
}

/** A step back or forward; nothing where there is nothing. */
function move(model: Model, tab: TabModel, by: 1 | -1): void {
  const to = tab.history[tab.now + by];
  if (!to) return;
  tab.isTouched ||= !isSamePage(placeOf(tab), to);
  arrive(model, tab, tab.now + by);
}

type Effects = {
  readonly [Do in Step['do']]: (model: Model, tab: TabModel, step: Extract<Step, { do: Do }>) => void;
};
const effects: Effects = {
  go: (model, tab, { to }) => push(model, tab, to),
  back: (model, tab) => move(model, tab, -1),
  forward: (model, tab) => move(model, tab, 1),
  reload: load,
  tab: (model) => {
    if (model.tabs.length === 1) model.tabs.push(newTab());
    model.active = 1 - model.active;
  },
  open: (model, tab, { form, at }) => {
    tab.form = openForm(model, form, at);
  },
  type: (model, { form }, { field, text }) => {
    if (form) typeInto(form, field, typedText(model, field, text));
    // One whose last typed value was taken back follows its record.
    notifyForms(model);
  },
  cancel: (model, tab) => {
    tab.form = tab.form?.name === 'settings' ? openForm(model, 'settings', 0) : null;
  },
  save: (model, tab) => tab.form && save(model, tab, tab.form),
  decide: (model, { form }, { take }) => form && decide(model, form, take),
  settingsTab: (model, tab, step) => push(model, tab, { name: 'settings', tab: step.tab }),
  next: (_model, { form }) => {
    if (form) form.paying = 'payment';
  },
  errand: (model, _tab, errand) => {
    errands[errand.what].apply(model, errand);
    deliver(model);
  },
  // What is read the API knows: see `bellFaults`.
  bell: () => {},
  language: (model) => {
    model.language = model.language === 'de' ? 'en' : 'de';
  },
  resize: (_model, tab, { width }) => {
    tab.width = width;
  },
  elsewhere: (model, _tab, { record, field, text }) => {
    change(model, record, { [field]: typedText(model, field, text) });
    deliver(model);
  },
  offline: (model) => {
    model.isOnline = false;
  },
  online: (model) => {
    model.isOnline = true;
    deliver(model);
  },
};

/** Steps for which nobody touches the page. */
const untouching: ReadonlySet<Step['do']> = new Set([
  'back',
  'forward',
  'reload',
  'tab',
  'resize',
  'elsewhere',
  'offline',
  'online',
]);

/** What is true after a step that could be done. */
export function apply(model: Model, step: Step): void {
  const tab = tabOf(model);
  const isElsewhere = step.do === 'errand' && errands[step.what].on === null;
  if (!untouching.has(step.do) && !isElsewhere) tab.isTouched = true;
  if ('stay' in step && step.stay) return;
  const effect = effects[step.do] as (model: Model, tab: TabModel, step: Step) => void;
  effect(model, tab, step);
}
