import type { ChallengeType } from './problems.ts';

/** Shows the authority that a name is ours. */
export interface Solver {
  readonly type: ChallengeType;
  /** @param answer what the challenge's place must hold. Resolves once the authority can find it. */
  present(challenge: PresentedChallenge): Promise<void>;
  remove(challenge: PresentedChallenge): Promise<void>;
}

interface PresentedChallenge {
  /** The name, without `*.`. */
  readonly host: string;
  readonly token: string;
  readonly answer: string;
}
