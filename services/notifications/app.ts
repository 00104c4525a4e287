import type { Verbs } from '@talpa/contracts';
import { openKeyRing } from '@talpa/service-kit/key-ring';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import { startResealing } from '@talpa/service-kit/reseal';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { notifyAbsences } from './absences/notify.ts';
import { beginAnnouncements } from './announcements/begin.ts';
import { createAnnouncement } from './announcements/create.ts';
import { endAnnouncement } from './announcements/end.ts';
import { getAnnouncement, listAnnouncements } from './announcements/list.ts';
import { listOwnAnnouncements } from './announcements/list-own.ts';
import { updateAnnouncement } from './announcements/update.ts';
import { createChannel, createInstallationChannel } from './channels/create.ts';
import { deleteChannel, deleteInstallationChannel } from './channels/delete.ts';
import { exportChannels } from './channels/export.ts';
import { listChannels, listInstallationChannels } from './channels/list.ts';
import { replaceChannelSecret, replaceInstallationChannelSecret } from './channels/replace-secret.ts';
import { updateChannel, updateInstallationChannel } from './channels/update.ts';
import type { NotificationsContext } from './context.ts';
import {
  getDelivery,
  getInstallationDelivery,
  listDeliveries,
  listInstallationDeliveries,
} from './deliveries/list.ts';
import { measureDeliveries } from './deliveries/metrics.ts';
import { redeliver, redeliverInstallation } from './deliveries/redeliver.ts';
import { startDeliveries } from './deliveries/sender.ts';
import { testChannel, testInstallationChannel } from './deliveries/test-channel.ts';
import { createDoctor } from './doctor/doctor.ts';
import { readSetUp } from './doctor/read-set-up.ts';
import { readDoctor, runDoctor } from './doctor/run.ts';
import { followDomains } from './domains/receive.ts';
import { countUnread } from './inbox/count-unread.ts';
import { getChannels } from './inbox/get-channels.ts';
import { exportInbox, listNotifications } from './inbox/list.ts';
import { markRead } from './inbox/mark-read.ts';
import { exportUser } from './mails/export.ts';
import { getMail } from './mails/get.ts';
import { getMailSetUp } from './mails/get-set-up.ts';
import { listMails } from './mails/list.ts';
import { measureMails } from './mails/metrics.ts';
import { readMail } from './mails/read.ts';
import { receiveMails } from './mails/receive.ts';
import { sendAgain } from './mails/send-again.ts';
import { sendTestMail } from './mails/send-test.ts';
import { startSender } from './mails/sender.ts';
import { testDelivery } from './mails/test-delivery.ts';
import { followMembers } from './members/receive.ts';
import { followOrigins } from './origins/receive.ts';
import { readRanges } from './outbound/addresses.ts';
import { createOutbound } from './outbound/client.ts';
import { notifyEnds } from './plans/ends.ts';
import { followPlans } from './plans/projection.ts';
import { followProviderFaults } from './provider-faults/receive.ts';
import { followProxies } from './proxies/projection.ts';
import { startRetention } from './retention.ts';
import type { NotificationsSettings } from './settings.ts';
import { createSmtp } from './smtp/smtp.ts';
import { createRender } from './templates/render.ts';
import { keepUsers } from './users/projection.ts';

const verbs: Verbs<'notifications', NotificationsContext> = {
  listMails,
  getMail,
  readMail,
  getMailSetUp,
  runDoctor,
  readDoctor,
  readSetUp,
  sendAgain,
  sendTestMail,
  testDelivery,
  exportUser,
  listNotifications,
  countUnread,
  getChannels,
  markRead,
  exportInbox,
  listOwnAnnouncements,
  listAnnouncements,
  getAnnouncement,
  createAnnouncement,
  updateAnnouncement,
  endAnnouncement,
  listChannels,
  createChannel,
  updateChannel,
  deleteChannel,
  testChannel,
  replaceChannelSecret,
  listDeliveries,
  getDelivery,
  redeliver,
  exportChannels,
  listInstallationChannels,
  createInstallationChannel,
  updateInstallationChannel,
  deleteInstallationChannel,
  testInstallationChannel,
  replaceInstallationChannelSecret,
  listInstallationDeliveries,
  getInstallationDelivery,
  redeliverInstallation,
};

/** Emails, the inboxes of the panel, and the channels of users. */
export async function wire(base: ServiceBase, settings: NotificationsSettings, lifecycle: Lifecycle) {
  const smtp = createSmtp(settings);
  const render = createRender(settings);
  measureMails(base.sql);
  keepUsers(base, lifecycle);
  followProxies(base, lifecycle);
  followPlans(base, lifecycle);
  notifyEnds(base, lifecycle);
  notifyAbsences(base, settings.ALERT_AFTER_SECONDS, lifecycle);
  followOrigins(base, lifecycle);
  followDomains(base, lifecycle);
  followMembers(base, lifecycle);
  followProviderFaults(base, settings.ALERT_AFTER_SECONDS, lifecycle);
  beginAnnouncements(base, lifecycle);
  startRetention(base, lifecycle);
  const kick = startSender(base, { smtp, render }, lifecycle);
  receiveMails(base, kick, lifecycle);
  measureDeliveries(base.sql);
  const channelKeys = openKeyRing(settings.CHANNEL_KEYS);
  startResealing(
    { sql: base.sql, keys: channelKeys, setting: 'CHANNEL_KEYS', table: 'channels', owner: 'id' },
    lifecycle,
  );
  const outbound = createOutbound(readRanges(settings.OUTBOUND_ALLOW));
  const kickDeliveries = startDeliveries(base, { outbound, channelKeys, settings }, lifecycle);
  const doctor = createDoctor(base, settings, smtp);
  return { added: { smtp, render, kick, channelKeys, kickDeliveries, doctor }, verbs };
}
