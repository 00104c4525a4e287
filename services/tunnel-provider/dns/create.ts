import { z } from 'zod';
import { operation } from '../api/operation.ts';
import { recordView } from './record.ts';
import { insertRecord } from './sql.ts';

export const createRecord = operation({
  name: 'createRecord',
  input: z.looseObject({}),
  run: async ({ sql }, body) => sql.begin(async (tx) => recordView(await insertRecord(tx, body))),
});
