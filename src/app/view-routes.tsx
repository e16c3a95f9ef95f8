/** Defines the routes of the views; every view is lazy and loads its own chunk. */
import { lazy, Suspense } from "react";
import { Outlet, redirect, type RouteObject } from "react-router";
import type { Client } from "../client/client.ts";
import type { NamedFeature } from "../lib/texts/not-offered.ts";
import { useHasFeature } from "../queries/service.ts";
import { ErrorPane } from "./ErrorPane.tsx";
import { ProjectLayout } from "./shell/ProjectLayout.tsx";

const NotOffered = lazy(async () => ({ default: (await import("./NotOffered.tsx")).NotOffered }));

/** Routes of which each shows why it is empty, instead of its view, while the service lacks the feature. */
const requireFeature = (feature: NamedFeature, ...children: RouteObject[]): RouteObject => ({
  Component: function RequireFeature() {
    if (useHasFeature(feature)) return <Outlet />;
    return (
      <Suspense>
        <NotOffered feature={feature} />
      </Suspense>
    );
  },
  children,
});

/** Loads a view that plays or records, together with player and recorder. */
const withAudio = async <V,>({ audio }: Client, view: Promise<V>): Promise<V> => (await Promise.all([view, audio.load()]))[0];

export const project = (client: Client): RouteObject => ({
  path: "projects/:projectId",
  Component: ProjectLayout,
  children: [
    { index: true, loader: ({ params }) => redirect(`/projects/${params["projectId"]}/chat`) },
    { path: "chat/:messageId?", lazy: async () => ({ Component: (await withAudio(client, import("./file-pane/ChatPage.tsx"))).ChatPage }) },
    requireFeature(
      "files-view",
      {
        path: "files/:folderId?",
        lazy: async () => ({ Component: (await withAudio(client, import("../views/files/FilesView.tsx"))).FilesView }),
      },
      { path: "files/deleted", lazy: async () => ({ Component: (await import("../views/files/deleted/DeletedFiles.tsx")).DeletedFilesView }) },
    ),
    requireFeature("playlists", {
      path: "playlists",
      lazy: async () => ({ Component: (await import("../views/playlists/PlaylistsView.tsx")).ProjectPlaylistsView }),
    }),
    requireFeature("members", { path: "members", lazy: async () => ({ Component: (await import("../views/members/MembersView.tsx")).MembersView }) }),
  ],
});

export const archived: RouteObject = {
  path: "projects/archived",
  lazy: async () => ({ Component: (await import("../views/archived/ArchivedView.tsx")).ArchivedView }),
};

export const file = (client: Client): RouteObject => ({
  path: "files/:fileId",
  lazy: async () => ({ Component: (await withAudio(client, import("../views/review/ReviewView.tsx"))).ReviewView }),
});

export const tasks = requireFeature("tasks", {
  path: "tasks",
  lazy: async () => ({ Component: (await import("../views/tasks/TasksView.tsx")).TasksView }),
});

export const notifications = requireFeature("notifications", {
  path: "notifications",
  lazy: async () => ({ Component: (await import("../views/notifications/NotificationsView.tsx")).NotificationsView }),
});

export const playlists = (client: Client): RouteObject =>
  requireFeature(
    "playlists",
    { path: "playlists", lazy: async () => ({ Component: (await import("../views/playlists/PlaylistsView.tsx")).PlaylistsView }) },
    {
      path: "playlists/:playlistId",
      lazy: async () => ({ Component: (await withAudio(client, import("../views/playlists/PlaylistView.tsx"))).PlaylistView }),
    },
  );

export const favorites = requireFeature(
  "favorites",
  { path: "favorites", lazy: async () => ({ Component: (await import("../views/favorites/FavoritesView.tsx")).FavoritesView }) },
  { path: "recent", lazy: async () => ({ Component: (await import("../views/favorites/FavoritesView.tsx")).RecentView }) },
);

export const searchView = requireFeature("search", {
  path: "search",
  lazy: async () => ({ Component: (await import("../views/search/SearchView.tsx")).SearchView }),
});

export const settings: RouteObject = {
  path: "settings",
  lazy: async () => ({ Component: (await import("../views/settings/SettingsView.tsx")).SettingsView }),
  children: [
    { index: true, loader: () => redirect("/settings/profile") },
    {
      lazy: async () => ({ Component: (await import("../views/settings/SettingsView.tsx")).SettingsColumn }),
      children: [
        { path: "profile", lazy: async () => ({ Component: (await import("../views/settings/ProfilePage.tsx")).ProfilePage }) },
        requireFeature("notifications", {
          path: "notifications",
          lazy: async () => ({ Component: (await import("../views/settings/notifications/NotificationsPage.tsx")).NotificationsPage }),
        }),
        { path: "organization", lazy: async () => ({ Component: (await import("../views/settings/OrganizationPage.tsx")).OrganizationPage }) },
        requireFeature("members", { path: "members", lazy: async () => ({ Component: (await import("../views/settings/MembersPage.tsx")).MembersPage }) }),
        { path: "deleted", lazy: async () => ({ Component: (await import("../views/settings/DeletedProjectsPage.tsx")).DeletedProjectsPage }) },
        requireFeature("statuses", {
          path: "statuses",
          lazy: async () => ({ Component: (await import("../views/settings/statuses/StatusesPage.tsx")).StatusesPage }),
        }),
        requireFeature("metadata", {
          path: "metadata",
          lazy: async () => ({ Component: (await import("../views/settings/metadata/MetadataPage.tsx")).MetadataPage }),
        }),
        requireFeature("delivery-rules", {
          path: "delivery-rules",
          lazy: async () => ({ Component: (await import("../views/settings/delivery-rules/DeliveryRulesPage.tsx")).DeliveryRulesPage }),
        }),
        requireFeature(
          "agents",
          { path: "agents", lazy: async () => ({ Component: (await import("../views/settings/agents/AgentsPage.tsx")).AgentsPage }) },
          { path: "agents/:agentId", lazy: async () => ({ Component: (await import("../views/settings/agents/AgentPage.tsx")).AgentPage }) },
        ),
        requireFeature("api-tokens", { path: "tokens", lazy: async () => ({ Component: (await import("../views/settings/TokensPage.tsx")).TokensPage }) }),
        requireFeature("oauth", { path: "apps", lazy: async () => ({ Component: (await import("../views/settings/AppsPage.tsx")).AppsPage }) }),
        requireFeature("audit-log", { path: "audit", lazy: async () => ({ Component: (await import("../views/settings/AuditPage.tsx")).AuditPage }) }),
        requireFeature("sessions", { path: "sessions", lazy: async () => ({ Component: (await import("../views/settings/SessionsPage.tsx")).SessionsPage }) }),
      ],
    },
    requireFeature("webhooks", {
      path: "webhooks",
      lazy: async () => ({ Component: (await import("../views/webhooks/WebhooksView.tsx")).WebhooksView }),
      children: [
        { index: true, lazy: async () => ({ Component: (await import("../views/webhooks/WebhooksView.tsx")).CatalogPage }) },
        // One route for both paths, so that opening a delivery does not replace the page.
        {
          path: ":endpointId/deliveries?/:deliveryId?",
          lazy: async () => ({ Component: (await import("../views/webhooks/endpoints/EndpointPage.tsx")).EndpointPage }),
        },
      ],
    }),
  ],
};

/** The routes for a service that has only the operations of the service document. */
export const documentedRoutes = (client: Client): RouteObject[] => [
  {
    lazy: async () => {
      const [{ DocumentedShell }] = await Promise.all([withAudio(client, import("./documented/DocumentedShell.tsx")), client.deviceRecords.load()]);
      return { Component: DocumentedShell };
    },
    children: [
      {
        ErrorBoundary: ErrorPane,
        children: [
          { index: true, lazy: async () => ({ Component: (await import("./documented/DocumentedHome.tsx")).DocumentedHome }) },
          {
            path: "projects/:projectId/chat/:messageId?",
            lazy: async () => ({ Component: (await import("../views/chat/ReadOnlyChatView.tsx")).ReadOnlyChatView }),
          },
          {
            path: "files/:fileId",
            lazy: async () => ({ Component: (await import("../views/review/ReadOnlyFileView.tsx")).ReadOnlyFileView }),
          },
          {
            path: "settings/webhooks",
            lazy: async () => ({ Component: (await import("../views/webhooks/CreateOnlyWebhooksView.tsx")).CreateOnlyWebhooksView }),
          },
          { path: "*", lazy: async () => ({ Component: (await import("./documented/DocumentedHome.tsx")).DocumentedNotFound }) },
        ],
      },
    ],
  },
];
