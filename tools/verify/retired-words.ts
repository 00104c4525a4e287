/** Names that the code had once, and what to write instead. `docs/glossary.md` explains the terms. */
const retired: Readonly<Record<string, string>> = {
  touchEverybody: 'invalidateAll',
  keepCopy: 'runProjection',
  keepCopyInBatches: 'runBatchProjection',
  followUsers: 'projectUsers',
  useChange: 'useApiMutation',
  outdatedBy: 'invalidates',
  NoTurn: 'BudgetExhausted',
  PlainError: 'CliError',
  HAND_OUT: 'SECRETS_OUT',
  RECONCILE_BRAKE: 'RESYNC_MAX_DELETIONS',
  TALPA_TEST_SWITCHES: 'FAULT_INJECTION',
  AnswerOf: 'ResponseOf',
  leases: 'jobs',
  wakeups: 'jobs',
  endLease: 'completeJob',
  leaveLease: 'failJob',
  putBack: 'return',
  parked: 'dead letter',
  parks: 'becomes a dead letter',
  audit_parked: 'audit_dead_letters',
  sharedVersion: 'globalVersion',
  lastAnswerAt: 'lastResponseAt',
  ownSettings: 'settingNames',
  worker_app: 'tunnel_worker_app',
  provider_app: 'tunnel_provider_app',
  DoorSettings: 'ListenerSettings',
  ConnectorDoor: 'ConnectorListener',
  PeerDoor: 'PeerListener',
  watchCopies: 'watchProjections',
  waitForCopiesAlone: 'waitForProjectionsAlone',
};

/** Words of prose that hide what happens, in any case, and the terms that say it. */
const vague: Readonly<Record<string, string>> = {
  tell: 'notify, report, show, return, send',
  tells: 'notifies, reports, shows, returns, sends',
  told: 'notified, reported, shown, returned, sent',
  telling: 'notifying, reporting, showing',
  heard: 'received',
  remembered: 'cached, stored',
  remembers: 'caches, stores',
  everybody: 'all users, all services, everyone',
  'nobody else': 'no other user, no other process',
  "one's own": 'the caller’s, the user’s',
  'one’s own': 'the caller’s, the user’s',
  mended: 'fixed, repaired',
  bears: 'has',
  whoever: 'anyone who, a caller that',
};

const patternOf = (words: Readonly<Record<string, string>>) =>
  new RegExp(`(?<![\\w$])(${Object.keys(words).join('|')})(?![\\w$])`, 'gi');
const retiredPattern = new RegExp(patternOf(retired), 'g');
const vaguePattern = patternOf(vague);

/** The retired words of a text, each with what replaces it. The prose of applied migrations cannot be corrected. */
export function findRetiredWords(file: string, text: string): string[] {
  const names = text.match(retiredPattern) ?? [];
  const prose = /\/migrations\//.test(file) ? [] : (text.match(vaguePattern) ?? []);
  return [...new Set([...names, ...prose])].map(
    (word) => `“${word}” is retired; write “${retired[word] ?? vague[word.toLowerCase()]}”`,
  );
}
