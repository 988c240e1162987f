// Search runs in a worker, which browsers refuse to pages opened from the file system. There, this
// runs the worker's script in a hidden frame instead, with the part of the interface that search uses.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      (document.body || document.documentElement).append(frame);
      this.inside = frame.contentWindow;
      this.waiting = [];
      const script = this.inside.document.createElement("script");
      script.src = new URL(url, location.href);
      script.onload = () => {
        this.waiting.forEach((data) => this.deliver(data));
        this.waiting = null;
      };
      this.inside.postMessage = (data) =>
        this.dispatchEvent(new MessageEvent("message", { data }));
      this.inside.document.body.append(script);
    }
    deliver(data) {
      this.inside.dispatchEvent(new MessageEvent("message", { data }));
    }
    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.deliver(data);
    }
    terminate() {}
  };
}
