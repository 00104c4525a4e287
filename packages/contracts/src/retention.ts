/** How long rows of the audit trail are kept, and the addresses in them. Days. */
export const auditRetention = { rows: 365, addresses: 90 } as const;

/** How long emails stay in the log, and the texts of those that could not be sent. Days. */
export const mailRetention = { rows: 90, contents: 30 } as const;

/** How long announcements are listed after their end. Days. */
export const announcementRetention = 365;

/** How long deliveries to channels are listed. Days. */
export const deliveryRetention = 30;

/** How long notifications stay in the inbox. Days. */
export const notificationRetention = 90;

/** For how long subdomains and public ports that were given back go to nobody but the user who had them. Days. */
export const addressReservedDays = 7;
