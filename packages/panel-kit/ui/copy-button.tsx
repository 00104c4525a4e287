import { Button } from 'antd';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from '../core/clipboard.ts';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { toast } from '../core/toasts.ts';

const confirmedFor = 2_000;

/** Copies a text and says so. `label` names what is copied, for those who do not see where the button is. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const t = useKitTexts();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), confirmedFor);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    const done = await copyText(text);
    setCopied(done);
    if (!done) toast({ title: t('error.title'), text: t('copyFailed'), tone: 'error' });
  };
  return (
    <Button
      size="small"
      onClick={() => void copy()}
      aria-label={`${label}: ${copied ? t('copied') : t('copy')}`}
      icon={copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
    >
      {copied ? t('copied') : t('copy')}
    </Button>
  );
}
