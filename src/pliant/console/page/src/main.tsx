import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/layout.css";
import "./styles/joints.css";
import "./styles/panel.css";
import "./styles/plots.css";
import "./styles/view.css";
import { render } from "preact";
import { App } from "./app";
import { begin } from "./core/store";

begin();
render(<App />, document.getElementById("app")!);
