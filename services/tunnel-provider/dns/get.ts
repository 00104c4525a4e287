import { z } from 'zod';
import { operation, recordId } from '../api/operation.ts';
import { recordView } from './record.ts';
import { findRecord } from './sql.ts';

export const getRecord = operation({
  name: 'getRecord',
  input: z.object({ recordId }),
  run: async ({ sql }, input) => recordView(await findRecord(sql, input.recordId)),
});
