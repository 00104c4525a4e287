import { Button } from 'antd';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from '../core/clipboard.ts';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { useToast } from '../core/toasts.ts';
import { IconButton } from './icon-button.tsx';

const confirmedFor = 2_000;

/** Writes a text to the clipboard and confirms it. `label` names what is copied, for those who do not see where the button is. */
export function CopyButton({
  text,
  label,
  primary = false,
  quiet = false,
}: {
  readonly text: string;
  readonly label: string;
  /** It is what the page is there for. */
  readonly primary?: boolean;
  /** An icon beside what is copied. */
  readonly quiet?: boolean;
}) {
  const t = useKitTexts();
  const toast = useToast();
  // The text itself: another text that takes its place has not been copied.
  const [copiedText, setCopiedText] = useState<string | null>(null);
  const copied = copiedText === text;
  useEffect(() => {
    if (copiedText === null) return;
    const timer = setTimeout(() => setCopiedText(null), confirmedFor);
    return () => clearTimeout(timer);
  }, [copiedText]);
  const copy = async () => {
    const done = await copyText(text);
    setCopiedText(done ? text : null);
    if (!done) toast({ title: t('error.title'), text: t('copyFailed'), tone: 'error' });
  };
  const name = `${label}: ${copied ? t('copied') : t('copy')}`;
  const icon = copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />;
  if (quiet)
    return (
      <IconButton
        label={name}
        tip={copied ? t('copied') : t('copy')}
        icon={icon}
        onClick={() => void copy()}
      />
    );
  return (
    <Button
      size={primary ? 'middle' : 'small'}
      type={primary ? 'primary' : 'default'}
      onClick={() => void copy()}
      aria-label={name}
      icon={icon}
    >
      {copied ? t('copied') : t('copy')}
    </Button>
  );
}
