import { expect, it } from 'vitest';
import { anId, oneOf, readView, writeView } from './address.ts';
import { nextOrder } from './rows.ts';

const options = {
  sorts: ['createdAt', 'serverName'],
  filters: { status: oneOf(['active', 'error']), userId: anId },
} as const;
const read = (query: string) => readView(new URLSearchParams(query), options);

it('what an address says of a list is read back as it was written', () => {
  const view = {
    q: 'Süd & Ost',
    sort: '-serverName',
    filters: { status: 'error', userId: 7 },
    cursor: 'a=/',
  };
  expect(read(String(writeView(view as ReturnType<typeof read>)))).toEqual(view);
  expect(String(writeView(read('')))).toBe('');
});

it('an address that says something unknown shows the plain list', () => {
  const plain = read('');
  for (const query of [
    'status=gone&sort=serverIP&userId=-1',
    'userId=9e99&q=%20%20&sort=createdAt&x=1',
    `q=${'a'.repeat(101)}&userId=1.5`,
    'q=%00&cursor=&status=toString',
  ])
    expect(read(query), query).toEqual(plain);
  expect(read('q=%20srv%20').q).toBe('srv');
});

it('a heading sorts up, then down, then as the list does by itself', () => {
  expect(nextOrder('serverName', 'createdAt')).toBe('serverName');
  expect(nextOrder('serverName', 'serverName')).toBe('-serverName');
  expect(nextOrder('serverName', '-serverName')).toBeNull();
});
