/** The panel's colors and forms, without its code: a page must stand alone when all else is gone. */
export const style = `
:root { color-scheme: dark light; --page: #0d0d11; --surface: #15151b; --border: #32323d; --text: #f1f1f5; --soft: #b3b3c0; --faint: #8f8f9d; --field: #6d6d7b; --bad: #ff8589; --focus: #b889f0; }
@media (prefers-color-scheme: light) {
  :root { --page: #f6f6f9; --surface: #fff; --border: #d9d9e2; --text: #17171d; --soft: #52525f; --faint: #686876; --field: #8a8a98; --bad: #c1272d; --focus: #8026d9; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; place-items: center; padding: 16px; background: var(--page);
  color: var(--text); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { width: 100%; max-width: 480px; padding: 40px 32px 28px; text-align: center; background: var(--surface);
  border: 1px solid var(--border); border-radius: 16px; overflow-wrap: anywhere; }
svg { width: 72px; height: 72px; }
h1 { margin: 20px 0 8px; font-size: 1.5rem; line-height: 1.25; text-wrap: balance; }
p { margin: 0; color: var(--soft); text-wrap: pretty; }
.words { margin-top: 20px; padding: 14px 16px; border: 1px solid var(--border); border-radius: 8px; background: var(--page); color: var(--text); }
.problem { margin-top: 16px; color: var(--bad); }
form, a.member, a.owner, a.again { margin-top: 20px; }
form { text-align: start; }
label { display: block; margin-bottom: 4px; font-size: .875rem; }
input { width: 100%; padding: 10px 12px; border: 1px solid var(--field); border-radius: 8px; background: var(--page); color: var(--text); font: inherit; }
input:focus-visible, button:focus-visible, a:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
button, a.member, a.owner, a.again { display: block; width: 100%; padding: 10px 16px; border: 1px solid transparent; border-radius: 8px; font: inherit; font-weight: 500; text-align: center; text-decoration: none; cursor: pointer; }
button { margin-top: 12px; }
button, main > a:first-of-type.member { background: #8026d9; color: #fff; }
form ~ a.member.member, a.owner, a.again { border-color: var(--field); background: none; color: var(--text); }
footer { margin-top: 28px; padding-top: 16px; border-top: 1px solid var(--border); color: var(--faint); font-size: .8125rem; }
@media (max-width: 480px) { main { padding: 32px 20px 20px; } h1 { font-size: 1.3rem; } }
`.trim();
