import { existsSync } from 'node:fs';
import type { ErrorCode, InternalCalls, InternalName } from '@talpa/contracts';
import { errorText } from '@talpa/contracts';
import { storedProcess } from '@talpa/instance/child';
import { CliError } from '@talpa/instance/cli';
import { startCall } from '@talpa/instance/command-names';
import { type HomeFolders, homeFolders, homeOf } from '@talpa/instance/paths';
import { readSecrets, type Secrets } from '@talpa/instance/secrets';
import { AppError } from '@talpa/service-kit/app-error';
import { askOperator } from '@talpa/service-kit/bus/operator';
import type { BusUser } from '@talpa/service-kit/bus/permissions';
import type { z } from 'zod';
import { runningNatsUrl } from '../launcher/stores/nats.ts';
import { ownPostgresUrl } from '../launcher/stores/postgres.ts';

/** The instance an operator's command is about: that of TALPA_HOME, or the stores the settings name. */
export interface Instance {
  readonly folders: HomeFolders;
  /** @throws CliError when there is none, neither in the folder nor on servers that the settings name */
  refuseMissing(): void;
  /** Made where they are missing. */
  secrets(): Secrets;
  /** Whether its launcher runs now. */
  isRunning(): boolean;
  /** @throws CliError when it does not run */
  natsUrl(user: BusUser): string;
  /** Postgres, as the role that may do everything. */
  databaseUrl(): string;
  /**
   * Makes an internal call as the operator.
   * @param texts what an error means here, where its own text says too little
   * @throws CliError with the error's text
   */
  ask<N extends InternalName>(
    call: N,
    input: z.input<InternalCalls[N]['input']>,
    texts?: Partial<Record<ErrorCode, string>>,
  ): Promise<z.output<InternalCalls[N]['response']>>;
}

/** The instance that the environment names; looks at nothing yet. */
export function openInstance(environment: NodeJS.ProcessEnv = process.env): Instance {
  const folders = homeFolders(homeOf(environment));
  const secrets = () => readSecrets(folders.secrets, environment.INSTALLATION_ID);
  const isRunning = () => storedProcess(folders, 'launcher') !== null;
  const notRunning = (setting: string) =>
    new CliError(
      `Talpa is not running on ${folders.home}. Start it with ${startCall}, or set ${setting} to the server of an instance that runs elsewhere.`,
    );
  const natsUrl = (user: BusUser) => {
    if (environment.NATS_URL) return environment.NATS_URL;
    const url = isRunning() ? runningNatsUrl(folders, secrets(), user) : null;
    if (!url) throw notRunning('NATS_URL');
    return url;
  };
  return {
    folders,
    refuseMissing: () => {
      if (environment.DATABASE_URL || environment.NATS_URL || existsSync(folders.secrets)) return;
      throw new CliError(
        `There is no Talpa in ${folders.home}. Set TALPA_HOME to the folder of your instance, as at its start.`,
      );
    },
    secrets,
    isRunning,
    natsUrl,
    databaseUrl: () => {
      if (environment.DATABASE_URL) return environment.DATABASE_URL;
      if (!isRunning()) throw notRunning('DATABASE_URL');
      return ownPostgresUrl(folders, secrets());
    },
    ask: async (call, input, texts = {}) => {
      try {
        return await askOperator(natsUrl('operator'), call, input);
      } catch (error) {
        if (error instanceof AppError)
          throw new CliError(texts[error.code] ?? errorText(error.code, 'en', error.params));
        throw error;
      }
    },
  };
}
