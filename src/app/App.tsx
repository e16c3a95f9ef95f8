import { QueryClientProvider } from "@tanstack/react-query";
import { I18nProvider } from "react-aria/I18nProvider";
import { RouterProvider } from "react-router/dom";
import { type Client, ClientContext } from "../client/client.ts";
import type { Router } from "./router.tsx";

export function App({ client, router }: { client: Client; router: Router }) {
  return (
    <ClientContext value={client}>
      <QueryClientProvider client={client.queryClient}>
        {/* The texts are English, so keys are not mirrored for a browser that is set to a right-to-left language. */}
        <I18nProvider locale="en-US">
          <RouterProvider router={router} />
        </I18nProvider>
      </QueryClientProvider>
    </ClientContext>
  );
}
