import { z } from 'zod';
import { operation, recordId } from '../api/operation.ts';
import { recordView } from './record.ts';
import { replaceRecord as replace } from './sql.ts';

/** PUT: what is not named gets its default. */
export const replaceRecord = operation({
  name: 'replaceRecord',
  input: z.looseObject({ recordId }),
  run: async ({ sql }, { recordId: id, ...body }) =>
    sql.begin(async (tx) => recordView(await replace(tx, id, body))),
});
