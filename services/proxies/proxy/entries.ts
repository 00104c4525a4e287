import { originDefaults, type ProxyEntries, type ProxyEntry, proxyEntries } from '@talpa/contracts';

/** What a person enters, by column. */
export type EntryColumns = Readonly<Omit<ProxyEntries, 'serverIP'>> & {
  readonly serverIp: ProxyEntries['serverIP'];
};

/** The API's name is older than the rule by which columns are named. */
const columnOf = (entry: ProxyEntry) => (entry === 'serverIP' ? 'serverIp' : entry);
export const entryColumns = proxyEntries.map(columnOf);

/** What was entered, as the API names it. */
export const entriesOf = (row: EntryColumns) =>
  Object.fromEntries(proxyEntries.map((entry) => [entry, row[columnOf(entry)]])) as unknown as ProxyEntries;

/** What an input has of it: it may leave out an entry that older pages do not know. */
export type GivenEntries = { readonly [Entry in ProxyEntry]?: ProxyEntries[Entry] | undefined };

/** The columns of those entries that an input has. */
export const columnsOf = (input: GivenEntries): Partial<EntryColumns> =>
  Object.fromEntries(
    proxyEntries
      .filter((entry) => input[entry] !== undefined)
      .map((entry) => [columnOf(entry), input[entry]]),
  );

/** What was entered before there was more to enter. */
export const withDefaults = (entered: Partial<EntryColumns>): Partial<EntryColumns> => ({
  ...originDefaults,
  ...entered,
});

/** The columns of what was entered, without the rest of a row. */
export const enteredIn = (row: EntryColumns) => columnsOf(entriesOf(row)) as EntryColumns;
