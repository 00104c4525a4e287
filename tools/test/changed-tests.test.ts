import { describe, expect, it } from 'vitest';
import { readCode } from '../verify/imports.ts';
import { testsOf } from './changed-tests.ts';

const code = readCode();
const of = (...changed: string[]) => testsOf(changed, code);

describe('npm test -- --changed', () => {
  it('runs the tests that import a changed file, directly or not, and no others', () => {
    expect(of('packages/instance/counted.ts')).toEqual(
      expect.arrayContaining(['packages/instance/counted.test.ts', 'tests/system/quota.test.ts']),
    );
    // Not named whole: this file would use it.
    const test = `frontends/user/src/dashboard/${'ping'}.test.ts`;
    expect(of(test)).toEqual([test]);
    expect(of('gateway/session/sessions.ts')).toContain('gateway/session/sessions.test.ts');
    expect(of('gateway/session/sessions.ts')).not.toContain(
      'services/billing/subscriptions/billing.integration.test.ts',
    );
  });

  it('finds importers through the packages’ exports', () => {
    expect(of('packages/service-kit/database/outbox.ts')).toContain(
      'services/auth/accounts/accounts.integration.test.ts',
    );
    expect(of('frontends/admin/src/pages.ts')).toContain('frontends/texts.test.ts');
    expect(of('packages/contracts/src/errors/general.ts')).toContain(
      'packages/panel-kit/core/api/call.test.ts',
    );
  });

  it.each([
    'services/billing/app.ts',
    'services/tunnel-worker/main.ts',
    'services/auth/migrations/0001_users.sql',
    'gateway/api/handler.ts',
    'packages/service-kit/log.ts',
  ])('runs the tests of whole systems, which import no service, when %s changes', (file) => {
    const tests = of(file);
    for (const test of [
      'tests/system/quota.test.ts',
      'tests/browser/main-job.test.ts',
      'tests/faults/cluster.test.ts',
    ])
      expect(tests).toContain(test);
  });

  it('runs the tests of single schemas when a migration changes', () => {
    expect(of('services/auth/migrations/0001_users.sql')).toContain(
      'services/auth/users/names.integration.test.ts',
    );
  });

  it.each([
    'frontends/user/src/settings/new-file.tsx',
    'frontends/shell/public/favicon.svg',
    'packages/panel-kit/ui/theme.css',
  ])('runs the tests in the browser, and not those of the services, when %s changes', (file) => {
    const tests = of(file);
    expect(tests).toContain('tests/browser/matrix.test.ts');
    expect(tests).not.toContain('tests/system/quota.test.ts');
  });

  it('runs the unit tests alone when a document changes', () => {
    const tests = of('docs/settings.md', 'README.md', 'deploy/kubernetes/base/gateway.yaml');
    expect(tests).toContain('tools/settings/reference.test.ts');
    expect(tests).not.toContain('tests/system/quota.test.ts');
  });

  it('runs everything when it does not know who uses a file', () => {
    for (const file of ['package-lock.json', 'vitest.config.ts', 'somewhere/else.bin'])
      expect(of(file)).toBe(null);
    expect(of('README.md', 'package.json')).toBe(null);
  });

  it('runs what imported a deleted file', () => {
    const before = new Map([...code, ['launcher/user.test.ts', "import { x } from './deleted.ts';"]]);
    expect(testsOf(['launcher/deleted.ts'], before)).toContain('launcher/user.test.ts');
  });
});
