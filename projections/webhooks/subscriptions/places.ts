// The places to which the sealed texts of a subscription are bound (services/common/sealed.ts): a sealed text can be
// opened at its own place only.

export const tokenValuePlace = (subscriptionId: string): string => `subscription ${subscriptionId} token value`;

export const signingSecretPlace = (subscriptionId: string): string => `subscription ${subscriptionId} signing secret`;
