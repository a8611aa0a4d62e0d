/** Where the page begins: what must stand before anything is drawn, then the drawing. */
import "./ui/mantine.css";
import "./reading/papers.css";
import "./reading/prose.css";
import "./ui/base.css";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { startNonce } from "./app/nonce";
import { startWords } from "./i18n";
import { startPreferences } from "./reading/preferences";
import { startEscape } from "./ui/escape";
import { startKeepingFocus } from "./ui/keepfocus";

startNonce();
startPreferences();
startEscape();
startKeepingFocus();
await startWords();

const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<App />);
