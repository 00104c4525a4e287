import { z } from 'zod';

export const announcementLevels = ['info', 'warning', 'error'] as const;
/** By its times alone. */
export const announcementStates = ['planned', 'active', 'ended'] as const;

const time = z.iso.datetime();

/** An announcement as administrators see it. */
export const announcement = z
  .object({
    id: z.int().positive(),
    state: z.enum(announcementStates),
    level: z.enum(announcementLevels),
    titleDe: z.string(),
    textDe: z.string(),
    titleEn: z.string(),
    textEn: z.string(),
    /** When it begins and ends to be shown above every page. */
    startsAt: time,
    endsAt: time,
    createdAt: time,
  })
  .meta({ id: 'Announcement' });
export type Announcement = z.infer<typeof announcement>;
