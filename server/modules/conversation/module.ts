/** The chat of a project and the comments on its files. */
import type { ServiceModule } from "../../http/module.ts";
import type { FilesDeps } from "../files/deps.ts";
import { eraseDeletedComments, eraseDeletedMessages } from "./retention.ts";
import { registerConversationRoutes } from "./routes.ts";
import { createConversationServices, type ConversationServices } from "./services.ts";

export function createConversationModule(deps: FilesDeps): ServiceModule<ConversationServices> {
  const services = createConversationServices(deps);
  return {
    services,
    features: ["chat", "messages", "chat-search", "comments"],
    register({ route }) {
      registerConversationRoutes(route, services);
      return {
        "erase deleted comments": () => eraseDeletedComments(deps),
        "erase deleted messages": () => eraseDeletedMessages(deps),
      };
    },
  };
}
