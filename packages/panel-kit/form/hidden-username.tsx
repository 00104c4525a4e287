import { useUser } from '../core/session.tsx';

/** The user's name in a form that asks for a password alone: password managers then know whose password it is. */
export function HiddenUsername() {
  const { username } = useUser();
  return <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />;
}
