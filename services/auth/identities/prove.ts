import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import type { Profile, ProviderResponse } from './client.ts';
import { inWords } from './problems.ts';
import type { Provider } from './providers.ts';
import { deviceOf, type RequestScope, useRequest } from './requests.ts';

/** Control characters, and halves of characters. */
const unfit = /[\p{Cc}\p{Cs}]/u;

/** An identity whose owner sits at this browser. */
interface Proven {
  readonly provider: Provider;
  readonly subject: string;
  profile(): Promise<Profile>;
}

/**
 * Has a provider vouch for somebody. The request is used up first, so that nothing can be tried twice with it.
 * @throws AppError `sign_in_request_ended`, `sign_in_refused`, `sign_in_response_invalid`, `sign_in_provider_unavailable`
 */
export async function proveIdentity(
  context: AuthContext,
  response: ProviderResponse,
  scope: RequestScope,
): Promise<Proven> {
  const { sql, providers, log } = context;
  const asked = { state: response.state, device: deviceOf(context) };
  const { provider: id, checks } = await useRequest(sql, asked, scope);
  const provider = providers.all.find((one) => one.id === id);
  // The operator has changed the setting meanwhile.
  if (!provider) throw new AppError('sign_in_request_ended');
  const wait = <T>(work: Promise<T>) => context.whileWaiting(inWords(provider, log, work));
  const { subject, profile } = await wait(provider.client.redeem(response, checks));
  // Postgres holds no NUL and no half of a character; two subjects that differ in what is left out would be one.
  if (unfit.test(subject)) {
    log.warn(
      { provider: id },
      'response of a sign-in provider refused: its subject has a control character or half a character',
    );
    throw new AppError('sign_in_response_invalid', { params: { provider: provider.label } });
  }
  return { provider, subject, profile: async () => withoutControls(await wait(profile())) };
}

/** What a provider says of a user is shown, and never compared. */
const withoutControls = ({ name, email }: Profile): Profile => ({
  name: name.split(unfit).join(''),
  // An address that has one is none.
  email: unfit.test(email) ? '' : email,
});
