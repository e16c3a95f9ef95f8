/** Defines all routes of the client; every view is lazy and loads its own chunk. */
import { createBrowserRouter, redirect, type RouteObject } from "react-router";
import { signInPath } from "../lib/next-path.ts";
import { setPersisted } from "../lib/remembered.ts";
import { queryClient } from "../queries/query-client.ts";
import { onAccountChange, onSessionEnd } from "../queries/session/cache.ts";
import { ErrorPane } from "./ErrorPane.tsx";
import { shouldRevalidateSession, openLastProject, redirectSignedIn, requireSession } from "./gate.ts";
import { Home } from "./Home.tsx";
import { Loading } from "./Loading.tsx";
import { NotFound } from "./shell/Missing.tsx";
import { ProjectFrame } from "./shell/ProjectFrame.tsx";
import { Shell } from "./shell/Shell.tsx";

const project: RouteObject = {
  path: "projects/:projectId",
  Component: ProjectFrame,
  children: [
    { index: true, loader: ({ params }) => redirect(`/projects/${params["projectId"]}/chat`) },
    { path: "chat/:messageId?", lazy: async () => ({ Component: (await import("../views/chat/ChatView.tsx")).ChatView }) },
    { path: "files/:folderId?", lazy: async () => ({ Component: (await import("../views/files/FilesView.tsx")).FilesView }) },
    { path: "members", lazy: async () => ({ Component: (await import("../views/members/MembersView.tsx")).MembersView }) },
  ],
};

const file: RouteObject = {
  path: "files/:fileId",
  lazy: async () => ({ Component: (await import("../views/review/ReviewView.tsx")).ReviewView }),
};

const tasks: RouteObject = {
  path: "tasks",
  lazy: async () => ({ Component: (await import("../views/tasks/TasksView.tsx")).TasksView }),
};

const settings: RouteObject = {
  path: "settings",
  lazy: async () => ({ Component: (await import("../views/settings/SettingsView.tsx")).SettingsView }),
  children: [
    { index: true, loader: () => redirect("/settings/profile") },
    {
      lazy: async () => ({ Component: (await import("../views/settings/ColumnPages.tsx")).ColumnPages }),
      children: [
        { path: "profile", lazy: async () => ({ Component: (await import("../views/settings/ProfilePage.tsx")).ProfilePage }) },
        { path: "members", lazy: async () => ({ Component: (await import("../views/settings/MembersPage.tsx")).MembersPage }) },
        { path: "statuses", lazy: async () => ({ Component: (await import("../views/settings/StatusesPage.tsx")).StatusesPage }) },
        { path: "tokens", lazy: async () => ({ Component: (await import("../views/settings/TokensPage.tsx")).TokensPage }) },
        { path: "sessions", lazy: async () => ({ Component: (await import("../views/settings/SessionsPage.tsx")).SessionsPage }) },
      ],
    },
    {
      path: "webhooks",
      lazy: async () => ({ Component: (await import("../views/webhooks/WebhooksView.tsx")).WebhooksView }),
      children: [
        { index: true, lazy: async () => ({ Component: (await import("../views/webhooks/CataloguePage.tsx")).CatalogPage }) },
        // One route for both paths, so that opening a delivery does not replace the page.
        { path: ":endpointId/deliveries?/:deliveryId?", lazy: async () => ({ Component: (await import("../views/webhooks/EndpointPage.tsx")).EndpointPage }) },
      ],
    },
  ],
};

export const router = createBrowserRouter([
  {
    path: "/",
    ErrorBoundary: ErrorPane,
    HydrateFallback: Loading,
    children: [
      { path: "sign-in", loader: redirectSignedIn, lazy: async () => ({ Component: (await import("../views/sign-in/SignInView.tsx")).SignInView }) },
      { path: "setup", lazy: async () => ({ Component: (await import("../views/sign-in/SetUpView.tsx")).SetUpView }) },
      { path: "welcome", loader: requireSession, lazy: async () => ({ Component: (await import("../views/sign-in/WelcomeView.tsx")).WelcomeView }) },
      { path: "invite", lazy: async () => ({ Component: (await import("../views/sign-in/InviteView.tsx")).InviteView }) },
      { path: "reset", lazy: async () => ({ Component: (await import("../views/sign-in/ResetView.tsx")).ResetView }) },
      {
        loader: requireSession,
        shouldRevalidate: shouldRevalidateSession,
        Component: Shell,
        children: [
          // A view that fails does not take down the shell.
          {
            ErrorBoundary: ErrorPane,
            children: [{ index: true, loader: openLastProject, Component: Home }, project, file, tasks, settings, { path: "*", Component: NotFound }],
          },
        ],
      },
    ],
  },
]);

onSessionEnd(queryClient, (leaving) => {
  setPersisted("signed-in", null);
  const { pathname, search } = router.state.location;
  if (leaving === "signed-out") void router.navigate("/sign-in", { replace: true });
  else void router.navigate(signInPath(pathname + search), { replace: true, state: { ended: true } });
});

// Reload, because the cache and unfinished input in a view belong to the previous account.
onAccountChange(queryClient, () => location.reload());
