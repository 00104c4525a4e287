import { type ProxyEntries, type ProxyEntry, proxyEntries } from '@talpa/contracts';

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

/** The columns of those entries that an input has: it may leave out one that older pages do not know. */
export const columnsOf = (input: Partial<ProxyEntries>): Partial<EntryColumns> =>
  Object.fromEntries(
    proxyEntries
      .filter((entry) => input[entry] !== undefined)
      .map((entry) => [columnOf(entry), input[entry]]),
  );

/** The columns of what was entered, without the rest of a row. */
export const enteredIn = (row: EntryColumns) => columnsOf(entriesOf(row)) as EntryColumns;
