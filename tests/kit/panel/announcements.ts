import type { Client } from '../client.ts';

/** One that comes and one that has ended; none that is shown above every screen. */
export const announcementTitles = {
  planned: 'Wartung der Tunnel-Server in der Nacht zum Samstag',
  ended: 'Neu: Mitteilungen per E-Mail',
} as const;

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();

export async function settleAnnouncements(admin: Client): Promise<void> {
  const { id } = await admin.call('POST /api/admin/announcements', {
    level: 'info',
    titleDe: announcementTitles.ended,
    textDe: 'In den Einstellungen können Sie Ihre Mitteilungen zusätzlich per E-Mail erhalten.',
    titleEn: 'New: notifications by email',
    textEn: 'In your settings, you can choose to get your notifications by email as well.',
    startsAt: inDays(2),
    endsAt: inDays(4),
  });
  await admin.call('POST /api/admin/announcements/:id/end', { id });
  await admin.call('POST /api/admin/announcements', {
    level: 'warning',
    titleDe: announcementTitles.planned,
    textDe: 'Zwischen 2 und 4 Uhr werden die Tunnel-Server aktualisiert. Verbindungen können kurz abbrechen.',
    titleEn: 'Tunnel servers under maintenance on Saturday night',
    textEn: 'The tunnel servers are updated between 2 and 4 AM. Connections may drop for a moment.',
    startsAt: inDays(3),
    endsAt: inDays(5),
  });
}
