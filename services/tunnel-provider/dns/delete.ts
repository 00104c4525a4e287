import { z } from 'zod';
import { operation, recordId } from '../api/operation.ts';
import { removeRecord } from './sql.ts';

export const deleteRecord = operation({
  name: 'deleteRecord',
  isBare: true,
  input: z.object({ recordId }),
  run: async ({ sql }, input) => removeRecord(sql, input.recordId),
});
