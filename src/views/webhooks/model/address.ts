/** What stands in the address of the webhooks pages besides the ids. */

export const NEW_ENDPOINT = { name: "endpoint", value: "new" } as const;

/** The parameters with one of them set, or without it (null). */
export function withParam(search: URLSearchParams, name: string, value: string | null): URLSearchParams {
  const next = new URLSearchParams(search);
  if (value === null) next.delete(name);
  else next.set(name, value);
  return next;
}

export const endpointPath = (endpointId: number) => `/settings/webhooks/${endpointId}`;
export const deliveryPath = (endpointId: number, deliveryId: number) => `${endpointPath(endpointId)}/deliveries/${deliveryId}`;
