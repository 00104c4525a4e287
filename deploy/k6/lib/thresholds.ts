import type { Options } from 'k6/options';
import type { RouteName } from '../../../packages/contracts/src/index.ts';
import type { ProfileName } from './names.ts';

/** What people notice, by call: 95 of 100 answers come within so many ms. */
const wanted: Partial<Record<RouteName, number>> = {
  'GET /api/user': 150,
  'GET /api/user/subscription/can-create-proxy': 150,
  'GET /api/system/stats': 150,
  'GET /api/tunnel-configs': 250,
  'GET /api/admin/users': 400,
  'GET /api/admin/tunnel-configs': 400,
  // argon2 takes its time, one after the other on each core.
  'POST /api/login': 1_500,
  'POST /api/login/second-factor': 300,
  // Returns when the tunnel is there.
  'POST /api/tunnel-configs': 2_000,
  'DELETE /api/tunnel-configs/:id': 500,
};

/** Under stress and in a spike answers may be late; wrong they may never be. */
const patience: Record<ProfileName, number> = { smoke: 4, average: 1, stress: 4, spike: 10, soak: 1 };

/** What a run must hold to, for the calls a scenario makes. */
export function thresholdsOf(
  profile: ProfileName,
  calls: readonly RouteName[],
): NonNullable<Options['thresholds']> {
  const steady = profile === 'average' || profile === 'soak';
  return {
    checks: [{ threshold: 'rate>0.999', abortOnFail: profile === 'smoke' }],
    http_req_failed: ['rate<0.001'],
    ...(steady ? { dropped_iterations: ['count==0'] } : {}),
    ...Object.fromEntries(
      calls.map((call) => [
        `http_req_duration{name:${call}}`,
        [`p(95)<${(wanted[call] ?? 500) * patience[profile]}`],
      ]),
    ),
  };
}
