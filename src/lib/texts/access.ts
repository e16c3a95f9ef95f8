import { defineTexts } from "./define-texts.ts";

/** What the scopes of API tokens and connected apps allow, and what they do not. */
export const t = defineTexts({
  accountRead: "See your profile, and the teams, projects and people you have access to",
  accountWrite: "Change your profile, favorites and notification settings",
  accountWriteLimit: "Most changes also need “See your profile”.",
  chatRead: "Read chats in your projects",
  chatReadLimit: "It can't post.",
  chatWrite: "Post messages in your name, and edit, delete and react to messages",
  chatWriteLimit: "Replies, edits and reactions also need “Read chats”.",
  filesRead: "See and download files, comments and tasks in your projects",
  filesReadLimit: "It can't add, change or delete anything.",
  filesWrite: "Upload files, comment, and change or delete files and tasks",
  filesWriteLimit: "Changing existing files also needs “See and download files”.",
  filesWriteGuest: "As a guest, you can only change and delete what you added.",
  webhooks: "Create, change and delete the organization's webhook endpoints",
  webhooksLimit: "Their events also need “See and download files”.",
  webhooksNoEffect: "No effect with your role: only owners and admins can manage webhooks.",
  adminOwner: "Manage projects, groups, file statuses, agents’ tasks, people and their roles, and read the audit log",
  adminAdmin: "Manage projects, groups, file statuses, agents’ tasks, people and their roles",
  adminLimit: "It can't make anyone an owner or admin.",
  adminMember: "Create and edit projects and groups, add people to projects, and run agents’ tasks",
  adminMemberLimit: "With your role, it can't invite people or change their roles.",
  adminGuest: "Leave projects in your name",
  adminGuestLimit: "Almost no effect with your role: guests can't manage projects or people.",
});
