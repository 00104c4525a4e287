import { shareProcess } from '@talpa/service-kit/shared-process';

// Before anything that keeps what each service has of its own.
shareProcess();
const { runTogether } = await import('@talpa/service-kit/process/lifecycle');
const { rowsOfMembers } = await import('./members.ts');

await runTogether('services', rowsOfMembers());
