import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type {
  PasskeyAuthentication,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@talpa/contracts';
import { loadOnce } from './load-once.ts';
import { panelConfig } from './panel-config.ts';
import { useKitTexts } from './texts/kit-texts.ts';

/** Loaded when it is needed: most visits need none of it. */
const load = loadOnce(() => import('@simplewebauthn/browser'));

/** Whether passkeys work here: the operator has set a public address, this is it, and the browser knows them. */
export function passkeysWork(): boolean {
  return (
    window.location.hostname === panelConfig().passkeyHost && typeof window.PublicKeyCredential === 'function'
  );
}

/** Has the browser make and use passkeys. Both throw an Error with a text for people. */
export function usePasskeys() {
  const t = useKitTexts();
  const inWords = (error: unknown): Error => {
    const { name } = error as Error;
    if (name === 'NotAllowedError' || name === 'AbortError') return new Error(t('passkey.canceled'));
    if (name === 'InvalidStateError') return new Error(t('passkey.known'));
    return new Error(t('passkey.failed'));
  };
  return {
    make: async (options: PasskeyCreationOptions): Promise<PasskeyRegistration> => {
      const { startRegistration } = await load();
      const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
      return startRegistration({ optionsJSON }).catch((error: unknown) => Promise.reject(inWords(error)));
    },
    use: async (options: PasskeyRequestOptions): Promise<PasskeyAuthentication> => {
      const { startAuthentication } = await load();
      const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
      return startAuthentication({ optionsJSON }).catch((error: unknown) => Promise.reject(inWords(error)));
    },
  };
}
