// Shared once in the browser: what notifications say, and how they are listed. See ui.ts.
export { Inbox } from './notifications/inbox.tsx';
export { MarkAllRead } from './notifications/mark-all-read.tsx';
export { useNotificationWords } from './notifications/words.ts';
