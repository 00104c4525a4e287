import { tiers } from '@talpa/contracts/plans';
import type { Random } from '@talpa/test-kit/requests/random';
import { type ErrandName, errandNames, errands, mostRecords } from './errands.ts';
import { type FormName, forms, type Place, shownFields } from './forms.ts';
import { asksBefore, type Model, placeOf, tabOf } from './model.ts';
import { hasDialog, isOn, isPossible } from './possible.ts';
import type { Kind, Subject } from './records.ts';
import { type Step, widths } from './step.ts';

type Make = (random: Random, model: Model) => Step;

/** Something to type into a field, at times something wrong (`!` keeps a text as it is). */
function textFor(random: Random, field: string, wrongShare = 0.1): string {
  const wrong: Readonly<Record<string, string>> = {
    serverName: '',
    adminPort: '0',
    username: '!ab',
    reason: '',
    password: '123',
    uses: '0',
    host: '',
  };
  if (field in wrong && random.chance(wrongShare)) return wrong[field] ?? '';
  switch (field) {
    case 'serverIP':
      return random.pick(['127.0.0.1', '10.0.0.7', '::1', 'panel.example.org']);
    case 'adminPort':
      return String(1_024 + random.below(60_000));
    case 'proxyLimit':
      return String(random.below(40));
    case 'uses':
      return String(1 + random.below(20));
    case 'subscriptionTier':
      return random.pick([...tiers, 'none']);
    case 'customUrl':
      return random.chance(0.3) ? '' : random.word(5);
    case 'host':
      return random.word(6);
    case 'email':
      return random.chance(0.2) ? '' : `${random.word(5)}@example.org`;
    case 'theme':
      return random.pick(['dark', 'light']);
    case 'accent':
      return random.pick(['purple', 'blue', 'green', 'red', 'yellow']);
    case 'password':
      return random.word(8);
    default:
      return /^(isAdmin|notify\.)/.test(field) ? String(random.chance(0.5)) : `S${random.word(4)}`;
  }
}

const recordFields: Readonly<Record<Kind, readonly string[]>> = {
  proxy: [...forms.editProxy.fields, 'reason', 'message'],
  user: ['username', 'subscriptionTier', 'proxyLimit', 'isAdmin', 'reason'],
  // Other tabs learn of a theme when they are loaded.
  preferences: ['email', 'notify.email', 'notify.system', 'notify.maintenance'],
};

const changeElsewhere: Make = (random, model) => {
  const { form } = tabOf(model);
  const of = form && forms[form.name].of;
  const open: Subject | null = form && of ? { of, at: form.at } : null;
  const kind = random.pick<Kind>(['proxy', 'proxy', 'user', 'preferences']);
  const other = { of: kind, at: random.below(model.records[kind].length) };
  const record = open && open.of !== 'preferences' && random.chance(0.6) ? open : other;
  const field = random.pick(recordFields[record.of]);
  // An empty reason lifts the suspension, an empty message ends the pause.
  const text = ['reason', 'message'].includes(field) && random.chance(0.5) ? '' : textFor(random, field, 0);
  return { do: 'elsewhere', record, field, text };
};

const open: Make = (random, model) => {
  const place = placeOf(tabOf(model));
  const here = (Object.keys(forms) as FormName[]).filter((name) => forms[name].on.includes(place.name));
  const form = here.length > 0 ? random.pick(here) : 'payment';
  const { of } = forms[form];
  return { do: 'open', form, at: place.at ?? random.below(of ? model.records[of].length : 4) };
};

const go: Make = (random, model) => {
  const { proxy, user } = model.records;
  const places: Place[] = [
    { name: 'home' },
    { name: 'proxies' },
    { name: 'plans' },
    { name: 'users' },
    { name: 'allProxies' },
    { name: 'invitations' },
    ...proxy.flatMap((_, at): Place[] => [
      { name: 'proxy', at },
      { name: 'proxy', at },
      { name: 'proxyDomains', at },
    ]),
    ...user.map((_, at): Place => ({ name: 'user', at })),
  ];
  const servers: Place =
    placeOf(tabOf(model)).name === 'proxies'
      ? { name: 'server', at: random.below(model.servers.length) }
      : { name: 'proxies' };
  // Most dialogs are there.
  const often: Place = random.chance(0.5) ? { name: 'settings', tab: 'account' } : servers;
  const to = random.chance(0.6) ? often : random.pick(places);
  return { do: 'go', to, ...staying(random, model) };
};

const type: Make = (random, model) => {
  const tab = tabOf(model);
  const fields = tab.form ? shownFields(tab.form.name, placeOf(tab)) : [];
  const field = fields.length > 0 ? random.pick(fields) : 'serverName';
  return { do: 'type', field, text: textFor(random, field) };
};

/** Something done with the account: where that begins on this page. */
const errand: Make = (random, model) => {
  const place = placeOf(tabOf(model));
  const here = errandNames.filter((name) => {
    const { on } = errands[name];
    return on !== null && isOn(on, place, place.at ?? 0);
  });
  return errandNamed(random, model, here.length > 0 ? random.pick(here) : 'createApiKey');
};

const errandNamed = (random: Random, model: Model, what: ErrandName): Step => ({
  ...{ do: 'errand', what, at: placeOf(tabOf(model)).at ?? random.below(mostRecords) },
  ...(errands[what].moves && { to: random.below(model.servers.length) }),
  ...{ name: `${random.word(6)}-${model.tag}`, twice: random.chance(0.5) },
});

const staying = (random: Random, model: Model) =>
  asksBefore(tabOf(model).form) && random.chance(0.3) ? ({ stay: true } as const) : {};

const makers: readonly { readonly make: Make; readonly free: number; readonly inDialog: number }[] = [
  { make: open, free: 9, inDialog: 0 },
  { make: go, free: 4, inDialog: 0 },
  { make: type, free: 3, inDialog: 9 },
  {
    make: (random, model) => ({
      do: 'cancel',
      by: random.pick(['button', 'Escape']),
      ...staying(random, model),
    }),
    free: 0.5,
    inDialog: 4,
  },
  { make: () => ({ do: 'save' }), free: 2, inDialog: 4 },
  { make: (random) => ({ do: 'decide', take: random.pick(['theirs', 'mine']) }), free: 0, inDialog: 9 },
  { make: () => ({ do: 'next' }), free: 0, inDialog: 4 },
  {
    make: (random) => ({
      do: 'settingsTab',
      tab: random.pick(['account', 'security', 'security', 'security', 'notifications', 'appearance']),
    }),
    free: 4,
    inDialog: 0,
  },
  { make: changeElsewhere, free: 1.2, inDialog: 1.5 },
  { make: (random, model) => ({ do: 'back', ...staying(random, model) }), free: 1, inDialog: 0.7 },
  { make: (random, model) => ({ do: 'forward', ...staying(random, model) }), free: 0.7, inDialog: 0.3 },
  { make: () => ({ do: 'reload' }), free: 0.5, inDialog: 0.3 },
  { make: () => ({ do: 'tab' }), free: 0.4, inDialog: 0.3 },
  { make: (random) => ({ do: 'bell', mark: random.chance(0.5) }), free: 0.7, inDialog: 0 },
  { make: errand, free: 9, inDialog: 0 },
  // In a browser of its own: it takes as long as several others.
  { make: (random, model) => errandNamed(random, model, 'resetPassword'), free: 0.2, inDialog: 0 },
  {
    make: (random, model) =>
      errandNamed(random, model, random.pick(['renameElsewhere', 'moveElsewhere', 'readAsMember'])),
    ...{ free: 2, inDialog: 0 },
  },
  { make: () => ({ do: 'language' }), free: 0.7, inDialog: 0 },
  { make: (random) => ({ do: 'resize', width: random.pick(widths) }), free: 0.7, inDialog: 0.5 },
  { make: () => ({ do: 'offline' }), free: 0.3, inDialog: 0.3 },
  { make: () => ({ do: 'online' }), free: 5, inDialog: 5 },
];

/**
 * The next step of a walk: one that can be done. Not fast-check's commands, which are made up before the walk: a third of them can
 * be done then, and steps in forms are 5 % in place of 42, saves 1.3 in place of 6.5.
 */
export function nextStep(random: Random, model: Model): Step {
  const isCovered = hasDialog(tabOf(model));
  // Each maker as often as its weight says, in tenths.
  const lots = makers.flatMap(({ make, free, inDialog }) =>
    Array.from({ length: Math.round(10 * (isCovered ? inDialog : free)) }, () => make),
  );
  for (let tries = 0; tries < 1_000; tries += 1) {
    const step = random.pick(lots)(random, model);
    if (isPossible(model, step)) return step;
  }
  return { do: 'reload' };
}
