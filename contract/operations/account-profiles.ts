/** The resource style operations of accounts: profiles and pictures. `updateAccount` changes one's own profile. */
import * as z from "zod/mini";
import { AVATAR_SIDES, type AvatarSize } from "../account-profile.ts";
import { operation, single } from "../define-operation.ts";
import { account } from "../records.ts";
import { idInPath, withDescription } from "../text.ts";

const params = z.object({ account_id: idInPath });

export const getOwnAccount = operation({
  method: "GET",
  path: "/api/v2/account",
  group: "Accounts",
  summary: "Your own account",
  source: "extension",
  scope: "account:read",
  rule: "self",
  response: single("account", account),
});
export const getAccountV2 = operation({
  method: "GET",
  path: "/api/v2/accounts/{account_id}",
  group: "Accounts",
  summary: "The account of a person whom you see",
  source: "extension",
  scope: "account:read",
  rule: "account.read",
  params,
  response: single("account", account),
});
export const getAvatar = operation({
  method: "GET",
  path: "/api/v2/accounts/{account_id}/avatar",
  group: "Accounts",
  summary: "A person's picture as WebP, with ranges; `avatar_url` of the account leads here",
  source: "extension",
  scope: "account:read",
  rule: "account.read",
  params,
  query: z.object({
    size: withDescription(
      z.optional(z.enum(Object.keys(AVATAR_SIDES) as [AvatarSize])),
      Object.entries(AVATAR_SIDES)
        .map(([size, side]) => `${size}: ${side} px`)
        .join(", ") + "; default medium",
    ),
    version: withDescription(z.optional(idInPath), "part of `avatar_url`, which changes with the picture; the response is always the current one"),
  }),
  response: null,
  bytes: "media",
});
export const setAvatar = operation({
  method: "PUT",
  path: "/api/v2/account/avatar",
  group: "Accounts",
  summary: "Upload your picture: PNG, JPEG, GIF, WebP or AVIF. The middle square of it is stored in three sizes and replaces the picture before",
  source: "extension",
  scope: "account:write",
  furtherScopes: ["account:read"],
  rule: "self",
  // Starts a process that decodes the picture.
  cost: 30,
  response: single("account", account),
  bytes: "body",
});
export const removeAvatar = operation({
  method: "DELETE",
  path: "/api/v2/account/avatar",
  group: "Accounts",
  summary: "Remove your picture",
  source: "extension",
  scope: "account:write",
  furtherScopes: ["account:read"],
  rule: "self",
  response: single("account", account),
});
