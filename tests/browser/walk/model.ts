import type { Language } from '@talpa/contracts';
import type { Account } from './account.ts';
import { type FormName, forms, fresh, type Place } from './forms.ts';
import { type Kind, none, type Subject, type Values } from './records.ts';

/** A form as it must be now. */
export interface OpenForm {
  readonly name: FormName;
  readonly at: number;
  /** The record's values it stands on. */
  base: Values;
  /** What was typed and differs from them. */
  typed: Values;
  /** Its record has changed since, and something is typed: the user has to decide. */
  conflict: boolean;
  /** How far a payment is. */
  paying: 'details' | 'payment';
}

/** A tab of the browser as it must be now. */
export interface TabModel {
  readonly history: Place[];
  now: number;
  form: OpenForm | null;
  width: number;
  /** Whether somebody has worked on the page since it was loaded: the focus is somewhere then. */
  isTouched: boolean;
}

/** What was done to a record, in the terms of the audit trail. */
interface Deed {
  readonly record: { readonly of: Kind | 'server'; readonly at: number };
  readonly text: string;
}

/** A server as it must be now. */
export interface Server {
  name: string;
  /** Whether it stays when its last proxy goes. */
  isNamed: boolean;
  /** Somebody else has read its token: nothing joins. */
  isShared: boolean;
  isGone: boolean;
}

/** What must be true. It knows of no browser and no API. */
export interface Model {
  /** Makes names of this world unlike those of all others. */
  readonly tag: string;
  readonly records: Readonly<Record<Kind, Values[]>>;
  /** What a browser knows of them: all of it, but for what happens while it is offline. */
  readonly seen: Readonly<Record<Kind, Values[]>>;
  readonly deeds: Deed[];
  /** The invitations that have a note, by which they are known, as `<note> <plan> <uses>`. */
  readonly invitations: string[];
  /** The custom domains that were added, each with the number of its proxy: `<number> <host>`. */
  readonly domains: string[];
  /** Those that are gone stay, so that each keeps its number. */
  readonly servers: Server[];
  /** By proxy, the number of its server. */
  readonly serverOf: number[];
  readonly account: Account;
  readonly tabs: TabModel[];
  active: number;
  isOnline: boolean;
  /** The tabs of a browser speak one language. */
  language: Language;
}

export const tabOf = (model: Model): TabModel => model.tabs[model.active] as TabModel;
export const placeOf = (tab: TabModel): Place => tab.history[tab.now] as Place;
export const valuesAt = (records: Model['records'], { of, at }: Subject): Values => records[of][at] ?? {};

export function newTab(): TabModel {
  return { history: [{ name: 'home' }], now: 0, form: null, width: 1280, isTouched: false };
}

export const plain = (text: string | undefined) => (text ?? none).trim();
/** What a form's fields show. */
export const shownIn = ({ base, typed }: OpenForm): Values => ({ ...base, ...typed });
export const isDirty = (form: OpenForm | null): boolean =>
  form !== null && Object.keys(form.typed).length > 0;
/** Whether leaving asks first. */
export const asksBefore = (form: OpenForm | null): boolean =>
  isDirty(form) || (form?.name === 'payment' && form.paying === 'payment');

/** What is really typed for a step's text: names are the world's own. */
export function typedText(model: Model, field: string, text: string): string {
  if (text === none || text.startsWith('!')) return text.replace('!', none);
  if (field === 'serverName' || field === 'reason' || field === 'note') return `${text} ${model.tag}`;
  if (field === 'host') return `${text}.${model.tag}.example.org`;
  if (field === 'customUrl') return `${text}-${model.tag}`;
  return field === 'username' ? `${text}.${model.tag}` : text;
}

const wholeNumber = (text: string, from: number, to: number) =>
  /^\d+$/.test(text) && Number(text) >= from && Number(text) <= to;

/** Whether a form may be saved as it is. */
export function isValid(form: OpenForm): boolean {
  const values = shownIn(form);
  const length = (field: string) => plain(values[field]).length;
  const isRight: Readonly<Record<string, () => boolean>> = {
    serverName: () => length('serverName') > 0,
    adminPort: () => wholeNumber(values.adminPort ?? none, 1, 65_535),
    username: () => length('username') >= 3,
    password: () => length('password') >= 6 || (form.name === 'editUser' && length('password') === 0),
    reason: () => length('reason') > 0,
    email: () => /^$|@/.test(values.email ?? none),
    host: () => length('host') > 0,
    uses: () => wholeNumber(values.uses ?? none, 1, 1_000),
  };
  return forms[form.name].fields.every((field) => isRight[field]?.() ?? true);
}

/** Whether saving changes anything at the server. */
export const isSaved = (model: Model, form: OpenForm): boolean =>
  model.isOnline && isValid(form) && !form.conflict;

export function openForm(model: Model, name: FormName, at: number): OpenForm {
  const { of } = forms[name];
  const base = of ? { ...valuesAt(model.seen, { of, at }), password: none } : (fresh[name] ?? {});
  return { name, at, base, typed: {}, conflict: false, paying: 'details' };
}
