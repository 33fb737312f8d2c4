/** A body that creates a subscription with the credentials of this token. */
export const subscriptionBody = (token: Readonly<Record<string, string>>, given: object = {}) => ({
  webhook_url: "https://hooks.example.com/a",
  workflow_name: "A",
  mode: "streaming",
  signal_type: "track_state",
  credentials: { x_token_id: token["x-token-id"], x_token_value: token["x-token-value"] },
  ...given,
});
