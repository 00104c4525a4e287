import type { AuditAction, AuditChanges, AuditTarget } from '@talpa/contracts';
import { useMemo } from 'react';
import { planName } from './changes.ts';
import { type AuditTranslate, useAuditTexts } from './texts.ts';

/** Who did something, as the sentence names them; a user who is gone has no name. */
export type AuditActor =
  | { readonly kind: 'administrator' | 'system' }
  /** With the name of the API key that a script acted with in their name. */
  | { readonly kind: 'self'; readonly key?: string | null | undefined }
  | { readonly kind: 'user'; readonly name: string | null };

/** What of an audit row becomes a sentence. */
export interface AuditDeed {
  readonly actor: AuditActor;
  readonly action: AuditAction;
  readonly target: AuditTarget;
  readonly changes?: AuditChanges;
}

/**
 * Says a row of the audit trail in a plain sentence: „Sie haben den Proxy „X“ geändert.“
 * @param me the reader's user id, so that their own account is called theirs; left out, it is named like all others
 */
export function useAuditSentence(me?: number): (deed: AuditDeed) => string {
  const t = useAuditTexts();
  return useMemo(
    () => (deed) => {
      const who = whoOf(t, deed.actor);
      const own = ownOf(t, deed.actor);
      if (deed.action === 'subscription.change') return planSentence(t, who, own, deed.changes ?? {});
      const words = { who, ...own, ...targetOf(t, deed.target, me) };
      const member = memberOf(deed);
      if (member && isAboutMember(deed.action)) return t(`named.${deed.action}`, { ...words, member });
      // Nobody was signed in who had the link.
      const isByLink = deed.action === 'proxy.declineInvitation' && deed.actor.kind === 'system';
      return t(isByLink ? 'declined.byLink' : `action.${deed.action}`, words);
    },
    [t, me],
  );
}

type AboutMember = 'proxy.inviteMember' | 'proxy.updateMember' | 'proxy.removeMember';
const isAboutMember = (action: AuditAction): action is AboutMember =>
  action === 'proxy.inviteMember' || action === 'proxy.updateMember' || action === 'proxy.removeMember';

/** Whose membership it is about; null: an invitation by link or email names nobody. */
function memberOf({ changes }: AuditDeed): string | null {
  const name = changes?.member?.to ?? changes?.member?.from;
  return name ? String(name) : null;
}

/** How a sentence calls its target: “Alpha”, or „Nr. 7“ when it has no name. */
export function useAuditTargetName(): (target: AuditTarget) => string {
  const t = useAuditTexts();
  return useMemo(() => (target) => nameOf(t, target), [t]);
}

function nameOf(t: AuditTranslate, { id, label }: AuditTarget): string {
  return label === null ? t('name.unknown', { id }) : t('name.known', { label });
}

/** A change of plan names both plans; a renewal changes the expiry alone. */
function planSentence(
  t: AuditTranslate,
  who: string,
  { plan }: ReturnType<typeof ownOf>,
  { tier, expiry }: AuditChanges,
): string {
  if (!tier) return t(expiry ? 'plan.renewed' : 'action.subscription.change', { who, plan });
  const to = planName(t, tier.to);
  return tier.from
    ? t('plan.changed', { who, from: planName(t, tier.from), to })
    : t('plan.chosen', { who, to });
}

function whoOf(t: AuditTranslate, actor: AuditActor): string {
  if (actor.kind === 'self' && actor.key) return t('who.key', { name: actor.key });
  if (actor.kind !== 'user') return t(`who.${actor.kind}`);
  return actor.name === null ? t('who.gone') : t('who.user', { name: actor.name });
}

/** What belongs to the actor: “your settings” where the reader is the actor, “their settings” of anybody else. */
function ownOf(t: AuditTranslate, { kind }: AuditActor) {
  const whose = kind === 'self' ? 'self' : 'other';
  return {
    password: t(`password.${whose}`),
    settings: t(`settings.${whose}`),
    plan: t(`plan.${whose}`),
  };
}

function targetOf(t: AuditTranslate, target: AuditTarget, me?: number) {
  const { kind, id } = target;
  if (kind === 'user' && id === String(me)) return { target: t('target.me'), toTarget: t('toTarget.me') };
  const name = nameOf(t, target);
  return { target: t(`target.${kind}`, { name }), toTarget: t(`toTarget.${kind}`, { name }) };
}
