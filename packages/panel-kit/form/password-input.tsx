import { Input, type InputProps } from 'antd';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import styles from './password-input.module.css';

/** A field for a password that can be looked at, also with the keyboard. */
export function PasswordInput(props: InputProps & { readonly autoComplete: string }) {
  const t = useKitTexts();
  const [visible, setVisible] = useState(false);
  const Icon = visible ? EyeOff : Eye;
  const label = visible ? t('password.hide') : t('password.show');
  return (
    <Input
      {...props}
      type={visible ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      suffix={
        <button
          type="button"
          className={styles.toggle}
          aria-label={label}
          title={label}
          onClick={() => setVisible(!visible)}
        >
          <Icon size={17} aria-hidden />
        </button>
      }
    />
  );
}
