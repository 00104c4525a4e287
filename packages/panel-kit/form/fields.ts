export * as fields from '@talpa/contracts/fields';
