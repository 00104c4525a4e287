// Shared once in the browser: what an audit row and a browser's description mean, in words. See ui.ts.
export { type DescribedChange, useAuditChanges } from './audit/changes.ts';
export { type Device, deviceOf, useDeviceText } from './audit/device.ts';
export { type Repeated, repeatedRows, useRepeatedText } from './audit/repeated.ts';
export { type AuditActor, type AuditDeed, useAuditSentence, useAuditTargetName } from './audit/sentences.ts';
