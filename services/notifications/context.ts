import type { Actor } from '@talpa/contracts';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import type { ServiceContext } from '@talpa/service-kit/service/service';
import type { Doctor } from './doctor/doctor.ts';
import type { Smtp } from './smtp/smtp.ts';
import type { Render } from './templates/render.ts';

export interface Parts {
  /** Null: emails are kept. */
  readonly smtp: Smtp | null;
  readonly render: Render;
  /** Something is due: look now. */
  readonly kick: () => void;
  readonly channelKeys: KeyRing;
  /** The same for channels. */
  readonly kickDeliveries: () => void;
  readonly doctor: Doctor;
}

/** What every verb of notifications gets. */
export type NotificationsContext = ServiceContext<Parts>;

/** The same of a call that somebody signed in makes. */
export type SignedInContext = NotificationsContext & { readonly actor: Actor };
