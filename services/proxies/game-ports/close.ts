import type { GamePortRules } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';

const nobody: GamePortRules = { kind: 'rules', rules: [], otherwise: 'deny' };

/**
 * Closes a proxy's game ports. Of them only the numbers stay, reserved for some days: addresses of people and servers do not.
 * @param only one of them; left out: all
 */
export async function closeGamePorts({ sql }: Tx, proxyId: number, only?: number): Promise<void> {
  await sql`
    update game_ports set removed_at = now(), target_host = '', rules = ${sql.json(nobody)}
    where proxy_id = ${proxyId} and removed_at is null ${only === undefined ? sql`` : sql`and id = ${only}`}`;
}
