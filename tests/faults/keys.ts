import { apiKeysPerUser } from '@talpa/contracts';
import { Client } from '@talpa/test-kit/client';
import type { Random } from '@talpa/test-kit/requests/random';
import { attempt, type Journal } from './outcome.ts';

interface WorkingKey {
  readonly id: number;
  readonly key: string;
}
/** More than these nobody holds; those whose creation was not acknowledged come on top. */
const mostHeld = 3;

/** A user's API keys: one works from the moment its creation is acknowledged until its revocation is asked for. */
export class Keys {
  readonly working: WorkingKey[] = [];
  readonly revoked: string[] = [];
  private unknown = 0;
  private readonly owner: Client;
  private readonly journal: Journal;
  private readonly random: Random;

  constructor(owner: Client, journal: Journal, random: Random) {
    this.owner = owner;
    this.journal = journal;
    this.random = random;
  }

  /** Creates, uses or revokes one. @returns what must never be */
  async act(): Promise<string[]> {
    if (this.working.length === 0) return this.create();
    const dice = this.random.fraction();
    if (dice < 0.5) return this.use(this.random.pick(this.working));
    return dice < 0.75 && this.working.length < mostHeld ? this.create() : this.revoke();
  }

  /** Each key must still be what it was acknowledged to be. */
  async faults(): Promise<string[]> {
    const faults: string[] = [];
    for (const [keys, mayWork] of [
      [this.working.map(({ key }) => key), true],
      [this.revoked, false],
    ] as const)
      for (const key of keys) {
        const { status } = await this.scriptOf(key).try('GET /api/tunnel-configs', {});
        if (status !== (mayWork ? 200 : 401))
          faults.push(`an API key that was ${mayWork ? 'created' : 'revoked'} gets ${status}`);
      }
    return faults;
  }

  private scriptOf(key: string): Client {
    const script = new Client(this.owner.base);
    script.apiKey = key;
    return script;
  }

  private async create(): Promise<string[]> {
    const input = { name: 'Skript', scopes: ['proxies:read' as const], days: 1 };
    const response = await attempt(this.journal, this.owner, 'POST /api/user/api-keys', input);
    if (response.kind === 'done') this.working.push({ id: response.body.apiKey.id, key: response.body.key });
    else if (response.kind === 'unknown') this.unknown += 1;
    else if (response.code === 'api_key_limit' && this.unknown > apiKeysPerUser - mostHeld - 1) return [];
    else return this.unlessLate('creating an API key', response.code);
    return [];
  }

  private async use({ id, key }: WorkingKey): Promise<string[]> {
    const response = await attempt(this.journal, this.scriptOf(key), 'GET /api/tunnel-configs', {});
    return response.kind === 'refused' ? [`the API key ${id} was refused: ${response.code}`] : [];
  }

  private async revoke(): Promise<string[]> {
    const { id, key } = this.random.pick(this.working);
    const response = await attempt(this.journal, this.owner, 'DELETE /api/user/api-keys/:id', { id });
    if (response.kind === 'refused') return this.unlessLate(`revoking the API key ${id}`, response.code);
    this.working.splice(
      this.working.findIndex((one) => one.id === id),
      1,
    );
    if (response.kind === 'done') this.revoked.push(key);
    return [];
  }

  /** In a long run the sign-in is too long ago for it. */
  private unlessLate(what: string, code: string): string[] {
    return code === 'step_up_required' ? [] : [`${what} was refused: ${code}`];
  }
}
