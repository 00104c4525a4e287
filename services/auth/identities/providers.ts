import { providerPath, type SignInProvider } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { ProviderSettings } from '@talpa/service-kit/settings/sign-in-providers';
import type { ProviderClient } from './client.ts';
import { discordClient } from './discord.ts';
import { openIdClient } from './openid.ts';

/** A provider that the operator offers. */
export interface Provider extends SignInProvider {
  /** With a subject it names an identity. */
  readonly issuer: string;
  readonly createsAccounts: boolean;
  /** It asks for a second factor itself. */
  readonly isTrusted: boolean;
  readonly client: ProviderClient;
}

/** The providers of SIGN_IN_PROVIDERS; none where the panel has no public address. */
export interface Providers {
  readonly all: readonly Provider[];
  /** @throws AppError `sign_in_provider_unknown` */
  get(id: string): Provider;
  /** As others see the provider of an identity; null: it is no longer offered. */
  ofIssuer(issuer: string): SignInProvider | null;
}

export const publicProvider = ({ id, kind, label }: SignInProvider): SignInProvider => ({ id, kind, label });

/** @param publicUrl where providers send browsers back to, whatever a request says */
export function createProviders(
  settings: readonly ProviderSettings[],
  publicUrl: string | undefined,
): Providers {
  const all = publicUrl === undefined ? [] : settings.map((one) => createProvider(one, publicUrl));
  return {
    all,
    get: (id) => {
      const provider = all.find((one) => one.id === id);
      if (!provider) throw new AppError('sign_in_provider_unknown');
      return provider;
    },
    ofIssuer: (issuer) => {
      const provider = all.find((one) => one.issuer === issuer);
      return provider ? publicProvider(provider) : null;
    },
  };
}

function createProvider(settings: ProviderSettings, publicUrl: string): Provider {
  const { id, kind, label, issuer, createAccounts, trustedForSecondFactor } = settings;
  const redirectUri = new URL(providerPath(id), publicUrl).href;
  const createClient = kind === 'discord' ? discordClient : openIdClient;
  return {
    id,
    kind,
    label,
    issuer,
    createsAccounts: createAccounts,
    isTrusted: trustedForSecondFactor,
    client: createClient(settings, redirectUri),
  };
}
