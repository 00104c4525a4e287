import { randomBytes } from 'node:crypto';
import type { AnySql, TransactionSql } from '@talpa/service-kit/database/sql';
import { ApiError } from '../api/errors.ts';
import { addressTypes, type DnsRecord, dnsRecord, type RecordRow } from './record.ts';

/** @throws ApiError `recordNotFound` */
export async function findRecord(sql: AnySql, id: string): Promise<RecordRow> {
  const [row] = await sql<RecordRow[]>`select * from dns_records where id = ${id}`;
  if (!row) throw new ApiError('recordNotFound');
  return row;
}

/** @throws ApiError `recordInvalid`, or why the host cannot take it. */
export async function insertRecord(tx: TransactionSql, body: unknown): Promise<RecordRow> {
  const id = randomBytes(16).toString('hex');
  const columns = columnsOf(parseRecord(body));
  await refuseConflicts(tx, columns, id);
  const [row] = await tx<RecordRow[]>`insert into dns_records ${tx({ id, ...columns })} returning *`;
  return written(row);
}

/** Overwrites a record as a whole. */
export async function replaceRecord(tx: TransactionSql, id: string, body: unknown): Promise<RecordRow> {
  await findRecord(tx, id);
  const columns = columnsOf(parseRecord(body));
  await refuseConflicts(tx, columns, id);
  const [row] = await tx<RecordRow[]>`
    update dns_records set ${tx(columns)}, modified_on = now() where id = ${id} returning *`;
  return written(row);
}

/** Changes the named fields of a record; the rest stays. */
export async function patchRecord(tx: TransactionSql, id: string, changes: object): Promise<RecordRow> {
  const row = await findRecord(tx, id);
  const { priority, ...rest } = row;
  return replaceRecord(tx, id, { ...rest, ...(priority === null ? {} : { priority }), ...changes });
}

export async function removeRecord(sql: AnySql, id: string): Promise<{ id: string }> {
  const { count } = await sql`delete from dns_records where id = ${id}`;
  if (count === 0) throw new ApiError('recordNotFound');
  return { id };
}

function parseRecord(body: unknown): DnsRecord {
  const parsed = dnsRecord.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ApiError('recordInvalid', `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
}

function columnsOf(record: DnsRecord) {
  return {
    name: record.name,
    type: record.type,
    content: record.content,
    proxied: 'proxied' in record && record.proxied,
    ttl: record.ttl,
    priority: 'priority' in record ? record.priority : null,
    comment: record.comment || null,
    tags: record.tags,
  };
}

/** Writers of one name take turns, so that two cannot both find it free. */
async function refuseConflicts(
  tx: TransactionSql,
  record: { name: string; type: string; content: string },
  id: string,
): Promise<void> {
  await tx`select lock_transaction(${`dns ${record.name}`})`;
  const others = await tx<RecordRow[]>`
    select * from dns_records where name = ${record.name} and id <> ${id}`;
  const addresses = others.filter((other) => addressTypes.includes(other.type));
  if (record.type === 'CNAME' && addresses.length > 0) throw new ApiError('recordOnHost');
  if (addressTypes.includes(record.type) && addresses.some((other) => other.type === 'CNAME'))
    throw new ApiError('cnameOnHost');
  if (others.some((other) => other.type === record.type && other.content === record.content))
    throw new ApiError('identicalRecord');
}

function written(row: RecordRow | undefined): RecordRow {
  // Between our look and our write somebody deleted it.
  if (!row) throw new ApiError('recordNotFound');
  return row;
}
