// Where the sealed texts of a subscription belong (services/common/sealed.ts): one of them opens nowhere else.

export const tokenValuePlace = (subscriptionId: string): string => `subscription ${subscriptionId} token value`;

export const signingSecretPlace = (subscriptionId: string): string => `subscription ${subscriptionId} signing secret`;
