import { type Errand, errands, mostRecords } from './errands.ts';
import { type FormName, forms, isSamePage, isSamePlace, type Place, shownFields } from './forms.ts';
import { asksBefore, isDirty, type Model, placeOf, plain, shownIn, type TabModel, tabOf } from './model.ts';
import { isListed, isThere } from './servers.ts';
import type { Step } from './step.ts';

const menu = ['home', 'proxies', 'settings', 'users', 'allProxies', 'invitations'];

/** Whether a dialog covers the page: the settings are a form without one. */
export const hasDialog = (tab: TabModel): boolean => tab.form !== null && tab.form.name !== 'settings';

/** Whether a step can be done now. */
export function isPossible(model: Model, step: Step): boolean {
  const tab = tabOf(model);
  const place = placeOf(tab);
  const { form } = tab;
  // Where nothing would be lost nobody asks.
  if ('stay' in step && step.stay && !asksBefore(form)) return false;
  switch (step.do) {
    case 'go':
      return model.isOnline && !hasDialog(tab) && !isSamePage(place, step.to) && isReachable(model, step.to);
    case 'back':
      return model.isOnline && tab.now > 0 && leadsSomewhere(model, step, tab, -1);
    case 'forward':
      return model.isOnline && tab.now < tab.history.length - 1 && leadsSomewhere(model, step, tab, 1);
    case 'reload':
      return model.isOnline;
    case 'tab':
      return model.isOnline;
    case 'open':
      return !hasDialog(tab) && canOpen(model, step.form, step.at);
    case 'type':
      return form !== null && shownFields(form.name, place).includes(step.field);
    case 'cancel':
      return hasDialog(tab) || (isDirty(form) && hasSaveBar(place) && !step.stay && step.by === 'button');
    case 'save':
      return (
        form !== null &&
        forms[form.name].call !== null &&
        // A pause without a message would look like none in the model.
        (form.name !== 'pauseProxy' || plain(shownIn(form).message) !== '') &&
        (form.name !== 'settings' || (isDirty(form) && hasSaveBar(place)))
      );
    case 'decide':
      return form?.conflict === true && model.isOnline;
    case 'settingsTab':
      return place.name === 'settings' && !isSamePlace(place, { name: 'settings', tab: step.tab });
    case 'next':
      return form?.name === 'payment' && form.paying === 'details';
    case 'language':
      return !hasDialog(tab);
    case 'bell':
      // On narrow screens it leads to a page.
      return model.isOnline && !hasDialog(tab) && tab.width !== 390;
    case 'errand':
      return model.isOnline && !hasDialog(tab) && !isDirty(form) && canRun(model, step);
    case 'resize':
      return tab.width !== step.width;
    case 'elsewhere':
      return step.record.at < model.records[step.record.of].length && mayChange(model, step);
    case 'offline':
      return model.isOnline;
    case 'online':
      return !model.isOnline;
  }
}

/** One tab of the settings saves nothing. */
const hasSaveBar = ({ tab }: Place): boolean => tab !== 'security';

/** An errand begins where its button is. */
function canRun(model: Model, errand: Errand): boolean {
  const { on, isPossible } = errands[errand.what];
  const place = placeOf(tabOf(model));
  return (on === null || isOn(on, place, errand.at)) && isPossible(model, errand);
}

/** Whether a page is the one that an errand begins on. */
export const isOn = (on: Place, place: Place, at: number): boolean =>
  on.name === place.name && on.tab === place.tab && (place.at === undefined || place.at === at);

/** A step back or forth: a tab of the same page is no leaving, and no page of a server is there without it. */
function leadsSomewhere(model: Model, step: Step, tab: TabModel, by: number): boolean {
  const to = tab.history[tab.now + by];
  if (to?.name === 'server' && !isThere(model, to.at ?? 0)) return false;
  return !('stay' in step && step.stay) || (to !== undefined && !isSamePage(placeOf(tab), to));
}

/** Whether the current page leads there. */
function isReachable(model: Model, to: { readonly name: string; readonly at?: number }): boolean {
  const place = placeOf(tabOf(model));
  // What is saved in one tab the other's settings learn when they are saved: that is for the conflict's own test.
  if (to.name === 'settings') return !model.tabs.some((tab) => tab.form?.name === 'settings');
  if (menu.includes(to.name)) return true;
  if (to.name === 'server') return place.name === 'proxies' && isListed(model, to.at ?? 0);
  if (to.name === 'plans') return place.name === 'settings' && place.tab === 'account';
  const isSameProxy = to.at === place.at;
  if (to.name === 'proxyDomains') return place.name === 'proxy' && isSameProxy;
  if (to.name === 'proxy' && place.name === 'proxyDomains') return isSameProxy;
  const list = to.name === 'proxy' ? ['proxies', 'allProxies'] : ['users'];
  const count = model.records[to.name === 'proxy' ? 'proxy' : 'user'].length;
  return list.includes(place.name) && (to.at ?? 0) < count;
}

function canOpen(model: Model, name: FormName, at: number): boolean {
  const place = placeOf(tabOf(model));
  const { of, on } = forms[name];
  if (!on.includes(place.name)) return false;
  if (name === 'createProxy') return model.isOnline && model.records.proxy.length < mostRecords;
  if (name === 'createInvitation') return model.invitations.length < mostRecords;
  // As many as the plan includes, of all proxies.
  if (name === 'addDomain') return model.isOnline && model.domains.length < mostRecords && place.at === at;
  if (name === 'createUser') return model.records.user.length < mostRecords;
  if (name === 'payment') return at < 4;
  if (!of || at >= model.records[of].length) return false;
  if (place.at !== undefined && place.at !== at) return false;
  // A paused one has another button.
  if (name === 'pauseProxy') return !model.seen[of][at]?.message;
  // A suspended one has another button: only a user's page changes the reason.
  return !name.startsWith('suspend') || !model.seen[of][at]?.reason || place.name === 'user';
}

function mayChange(model: Model, step: Step & { do: 'elsewhere' }): boolean {
  const { of, at } = step.record;
  if (of === 'preferences') return !model.tabs.some((tab) => tab.form?.name === 'settings');
  const ends = (step.field === 'reason' || step.field === 'message') && step.text === '';
  // What is neither suspended nor paused has no end of it.
  return !ends || Boolean(model.records[of][at]?.[step.field]);
}
