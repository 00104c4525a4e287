import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError } from '@talpa/instance/cli';
import { describe, expect, it } from 'vitest';
import { openInstance } from './instance.ts';

describe('an instance that does not run', () => {
  it('says so to who needs its database, and takes one that runs elsewhere', () => {
    const environment = { TALPA_HOME: mkdtempSync(join(tmpdir(), 'talpa-instance-')) };
    expect(() => openInstance(environment).databaseUrl()).toThrow(CliError);
    const url = 'postgres://operator:word@localhost/talpa';
    expect(openInstance({ ...environment, DATABASE_URL: url }).databaseUrl()).toBe(url);
  });
});
