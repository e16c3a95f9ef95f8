/** Whether the account gets emails, and the links in them: one confirms the address, one stops them. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import {
  applyMailLink,
  confirmMailAddress,
  getMailSettings,
  previewMailConfirmation,
  previewMailLink,
  sendMailConfirmation,
  updateMailSettings,
} from "../../../contract/operations/notification-delivery.ts";
import { ApiError } from "../../api/api-error.ts";
import { fetchData, useOperation } from "../operations.ts";
import { useHasFeature } from "../service.ts";
import { deliveryKeys } from "./cache-updates.ts";

const mailQueries = {
  settings: () => queryOptions({ queryKey: deliveryKeys.mail, queryFn: fetchData(getMailSettings, {}) }),
  /** A link works for anybody who has it, so that its state may change elsewhere. */
  link: (token: string) =>
    queryOptions({ queryKey: ["mail-link", token], queryFn: fetchData(previewMailLink, { body: { token } }), enabled: token !== "", gcTime: 0 }),
  confirmation: (token: string) =>
    queryOptions({
      queryKey: ["mail-confirmation", token],
      queryFn: fetchData(previewMailConfirmation, { body: { token } }),
      enabled: token !== "",
      gcTime: 0,
    }),
};

export const useMailSettings = () => useQuery({ ...mailQueries.settings(), enabled: useHasFeature("mail") });

export const useUpdateMailSettings = () =>
  useOperation(updateMailSettings, (enabled: boolean) => ({ body: { enabled } }), {
    onSuccess: ({ queryClient }, settings) => queryClient.setQueryData(mailQueries.settings().queryKey, settings),
  });

export const useSendMailConfirmation = () =>
  useOperation(sendMailConfirmation, () => ({}), {
    onSuccess: ({ queryClient }, settings) => queryClient.setQueryData(mailQueries.settings().queryKey, settings),
  });

export const useMailLinkPreview = (token: string) => useQuery(mailQueries.link(token));

export const useChangeMailByLink = (token: string) =>
  useOperation(applyMailLink, (enabled: boolean) => ({ body: { token, enabled } }), {
    onSuccess: ({ queryClient }, link) => queryClient.setQueryData(mailQueries.link(token).queryKey, link),
  });

export const useMailConfirmationPreview = (token: string) => useQuery(mailQueries.confirmation(token));

export const useConfirmMailAddress = (token: string) =>
  useOperation(confirmMailAddress, () => ({ body: { token } }), {
    onSuccess: ({ queryClient }, confirmation) => queryClient.setQueryData(mailQueries.confirmation(token).queryKey, confirmation),
  });

/** Returns why the link in a confirmation email is of no use: it has expired, or the account has another address. */
export function readConfirmationFailure(error: unknown): "expired" | "replaced" | "invalid" {
  const status = error instanceof ApiError ? error.status : 0;
  return status === 410 ? "expired" : status === 409 ? "replaced" : "invalid";
}
