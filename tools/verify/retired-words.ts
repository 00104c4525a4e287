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
  'tests/kit': 'packages/test-kit',
  whoever: 'anyone who, a caller that',
  Whoever: 'anyone who, a caller that',
};

const pattern = new RegExp(`(?<![\\w$])(${Object.keys(retired).join('|')})(?![\\w$])`, 'g');

/** The retired words of a text, each with what replaces it. */
export function findRetiredWords(text: string): string[] {
  return [...new Set(text.match(pattern))].map((word) => `“${word}” is retired; write “${retired[word]}”`);
}
