/** How long rows of the audit trail are kept, and the addresses in them. Days. */
export const auditRetention = { rows: 365, addresses: 90 } as const;
