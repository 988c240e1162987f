// The page of the explorer, which the program serves.
import { render } from "preact";
import "../style.css";
import "./explore.css";
import { Api, overHttp } from "./api";
import { Explorer } from "./explorer";
import { Store } from "./store";

const place = document.getElementById("explorer");
if (place) {
  const api = new Api(overHttp);
  const store = new Store(api);
  place.replaceChildren();
  render(<Explorer store={store} api={api} root={document.documentElement} />, place);
  store.load().then(() => {
    if (store.model) document.title = `${store.model.state.name} – Shiftcut`;
  });
}
