// Shared once in the browser: the API client, session, texts, formats and what the browser stores.
export { type AccentColor, type Appearance, accentHues } from './core/accents.ts';
export { dismissAccountSwitch, useAccountSwitch } from './core/account-switch.ts';
export { Administration } from './core/administration.ts';
export { ApiError, type FieldIssue } from './core/api/api-error.ts';
export { call, callWithHeaders, type Input, type ResponseBody } from './core/api/call.ts';
export { createQueryClient } from './core/api/client.ts';
export { invalidateAfter, type MutationName, useApiMutation } from './core/api/mutations.ts';
export { type ListPage, type PagedName, pageFacts, pageQuery, type Total } from './core/api/page.ts';
export {
  adminAnnouncementQuery,
  adminApiKeysQuery,
  adminChannelsQuery,
  adminDeliveriesQuery,
  adminDeliveryQuery,
  adminFactorQuery,
  adminIdentitiesQuery,
  adminMailQuery,
  adminProxiesOfQuery,
  adminProxiesQuery,
  adminUserEmailQuery,
  adminUserQuery,
  adminUsersQuery,
  announcementsQuery,
  canCreateQuery,
  certificatesQuery,
  channelsQuery,
  deadLettersQuery,
  deliveriesQuery,
  deliveryQuery,
  doctorQuery,
  enrolmentKeysQuery,
  gamePortsQuery,
  invitedUsersQuery,
  mailSetUpQuery,
  newestNotificationsQuery,
  notificationsQuery,
  ownApiKeysQuery,
  ownAuditQuery,
  ownChannelsQuery,
  ownEmailQuery,
  ownIdentitiesQuery,
  ownPasskeysQuery,
  ownSessionsQuery,
  preferencesQuery,
  prefetch,
  problemsQuery,
  proxiesQuery,
  proxyAccessQuery,
  proxyDomainsQuery,
  proxyEventsQuery,
  proxyHealthQuery,
  proxyInvitationsQuery,
  proxyKey,
  proxyMembersQuery,
  proxyQuery,
  proxyTrafficQuery,
  proxyVisitsQuery,
  requestLogQuery,
  requestsKey,
  secondFactorQuery,
  serverEventsQuery,
  serverHealthQuery,
  serverKey,
  serverQuery,
  serversQuery,
  serviceTokensQuery,
  sessionQuery,
  sharedProxiesQuery,
  signInProvidersQuery,
  statsQuery,
  storageQuery,
  subdomainQuery,
  subscriptionQuery,
  systemQuery,
  unreadCountQuery,
} from './core/api/queries.ts';
export { setAppearance, useAppearance } from './core/appearance.ts';
export { copyText } from './core/clipboard.ts';
export { useFocusKeeper } from './core/focus-keeper.ts';
export {
  deviceTimeZone,
  formatBytes,
  formatClock,
  formatCount,
  formatCountry,
  formatDate,
  formatDaysAhead,
  formatEuros,
  formatList,
  formatLogTime,
  formatMoment,
  formatShare,
  formatShortTime,
  formatSpan,
  formatTime,
  formatWeekday,
  hiddenOfToken,
} from './core/format.ts';
export { lazyPage } from './core/lazy-page.tsx';
export { wasDeleted } from './core/live/deleted.ts';
export { useIsLive, useLiveUpdates, useStaleSince } from './core/live/live.ts';
export { forgetFailures, loadOnce } from './core/load-once.ts';
export { useIsNarrow, useMedia } from './core/media.ts';
export { useAgo, useLasting, useNow } from './core/now.ts';
export { routesOf, useHeadOf } from './core/page-routes.tsx';
export { panelConfig } from './core/panel-config.ts';
export { passkeysWork, usePasskeys } from './core/passkeys.ts';
export { useRedirect } from './core/redirect.ts';
export {
  type Session,
  SessionProvider,
  useDeleteAccount,
  useResetPassword,
  useSession,
  useSignIn,
  useSignOut,
  useUser,
} from './core/session.tsx';
export { type SessionEnd, sessionEnd } from './core/session-end.ts';
export { endStepUp, requestStepUp, useStepUpRequested } from './core/step-up.ts';
export { readStored, store } from './core/storage.ts';
export { fillText } from './core/texts/fill-text.ts';
export { useKitTexts } from './core/texts/kit-texts.ts';
export {
  currentLanguage,
  LanguageScope,
  setLanguage,
  startLanguage,
  useLanguage,
  useLanguageChange,
} from './core/texts/language.ts';
export { defineTexts, type Translate } from './core/texts/texts.ts';
export { usePageTitle } from './core/title.ts';
export {
  dismissToast,
  dismissToasts,
  removeToast,
  type ShownToast,
  type ToastContent,
  type ToastHandle,
  useToast,
  useToasts,
} from './core/toasts.ts';
export { hasUnsaved, useUnsaved } from './core/unsaved.ts';
