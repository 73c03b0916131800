"""Tables of TeX: what each macro shows, or does to its argument.

The symbols are those that occur in titles and abstracts of machine-learning papers, and their near
relations; a macro that is in no table is shown by its name. Each table is one string, so that importing them
takes little time.
"""

from __future__ import annotations

from typing import TypeVar

_Value = TypeVar("_Value")


def _pairs(table: str) -> dict[str, str]:
    """Read `name sign name sign ...`."""
    words = table.split()
    return dict(zip(words[::2], words[1::2], strict=True))


def _words(table: str) -> frozenset[str]:
    """Read `name name ...`."""
    return frozenset(table.split())


def _grouped(table: dict[_Value, str]) -> dict[str, _Value]:
    """Read `{value: "name name ..."}` as `{name: value}`."""
    return {name: value for value, names in table.items() for name in names.split()}


LETTERS = _pairs("""
    ss ß SS ẞ ae æ AE Æ oe œ OE Œ aa å AA Å o ø O Ø l ł L Ł i ı j ȷ dh ð DH Ð th þ TH Þ dj đ DJ Đ ng ŋ NG Ŋ
""")
"""Letters of the text; TeX swallows a blank after them."""

ACCENTS = frozenset("uvHckrdbth")
"""Accent macros that are letters."""

SPACING_ACCENTS = {"'": "'", "`": "`", "^": "^", '"': '"', "~": "~", "=": "¯", ".": "˙"}
"""What an accent over nothing shows: `\\~{}`."""

MANGLED_GREEK = _pairs("""
    b.eta β r.ho ρ k.appa κ t.au τ t.heta θ c.hi χ d.elta δ u.psilon υ v.arepsilon ε v.arphi φ v.artheta θ
    v.arrho ρ k.sigma σ
""")
"""Greek letters that a converter took for accents: `\\b{eta}` was `\\beta`."""

TEXT_SYMBOLS = _pairs("""
    textbackslash \\ textasciitilde ~ textasciicircum ^ textunderscore _ textbar | textless < textgreater >
    textdollar $ textbraceleft { textbraceright } lbrack [ rbrack ] textquotedblleft “ textquotedblright ”
    textquoteleft ‘ textquoteright ’ textquotesingle ' textquotedbl " quotedblbase „ guillemotleft «
    guillemotright » guillemetleft « guillemetright » textendash – textemdash — textellipsis … ldots … dots …
    textbullet • textperiodcentered · textdegree ° degree ° deg ° textregistered ® texttrademark ™
    textcopyright © copyright © S § P ¶ pounds £ textsterling £ texteuro € euro € textyen ¥ textcent ¢ textmu
    µ textmugreek μ textohm Ω textpm ± texttimes × textdiv ÷ textperthousand ‰ textonehalf ½ textsection §
    textparagraph ¶ textordfeminine ª textordmasculine º textonesuperior ¹ texttwosuperior ² textthreesuperior
    ³ textrightarrow → textleftarrow ← textuparrow ↑ textdownarrow ↓ textgreek μ checkmark ✓ cmark ✓ xmark ✗
    dag † ddag ‡ textdagger † textdaggerdbl ‡ textalpha α textbeta β textgamma γ textdelta δ textepsilon ε
    textlambda λ textsigma σ LaTeX LaTeX TeX TeX LaTeXe LaTeX2ε BibTeX BibTeX slash / textvisiblespace ␣
    textasteriskcentered * textexclamdown ¡ textquestiondown ¿ textasciigrave ` eg e.g. ie i.e. Eg E.g. Ie
    I.e. wrt w.r.t. etal et_al. etc etc. iid i.i.d. pct % hyp - over / aka a.k.a. vs vs.
""")
"""Symbols of the text, and the abbreviations that most authors define."""

GREEK = _pairs("""
    alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ
    varkappa ϰ lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon
    υ phi φ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ
    Psi Ψ Omega Ω varGamma Γ varDelta Δ varTheta Θ varSigma Σ varPhi Φ varPsi Ψ varOmega Ω varLambda Λ varPi Π
    upalpha α upbeta β upgamma γ updelta δ upepsilon ε uplambda λ upmu μ uppi π upsigma σ uptau τ uprho ρ
    uptheta θ Alpha Α Beta Β Chi Χ Eta Η Tau Τ Epsilon Ε Kappa Κ Rho Ρ
""")

ORDINARY = _pairs("""
    ell ℓ infty ∞ partial ∂ nabla ∇ hbar ℏ Re ℜ Im ℑ aleph ℵ emptyset ∅ varnothing ∅ prime ′ dprime ″ top ⊤
    bot ⊥ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ angle ∠ triangle △ square □ Box □ Diamond ◇ diamond ⋄
    bigstar ★ star ⋆ ast * dagger † ddagger ‡ bullet • circ ∘ sharp ♯ flat ♭ natural ♮ surd √ imath ı jmath ȷ
    wp ℘ mho ℧ eth ð intercal ⊺ circledR ® circledS Ⓢ checkmark ✓ ldots … dots … dotsc … dotsb ⋯ dotso … cdots
    ⋯ dotsm ⋯ hdots … vdots ⋮ ddots ⋱ backslash \\ colon : degree ° S § clubsuit ♣ diamondsuit ♢ heartsuit ♡
    spadesuit ♠ complement ∁ beth ℶ second ″ AA Å textmu μ micro μ ohm Ω pounds £ P ¶ langle ⟨ rangle ⟩ lceil
    ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ lbrace { rbrace } lbrack [ rbrack ] vert | Vert ‖ lvert | rvert | lVert ‖
    rVert ‖ llbracket ⟦ rrbracket ⟧ lgroup ( rgroup ) ulcorner ⌜ urcorner ⌝ llcorner ⌞ lrcorner ⌟ lparen (
    rparen ) sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ bigcup ⋃ bigcap ⋂ bigvee ⋁ bigwedge ⋀ bigoplus
    ⨁ bigotimes ⨂ bigodot ⨀ biguplus ⨄ bigsqcup ⨆ triangledown ▽ blacksquare ■ blacktriangle ▲ lozenge ◊
    percent % lq ‘ rq ’ hslash ℏ
""")
"""Signs that stand by themselves; brackets and large operators among them."""

OPERATORS = _pairs("""
    times × cdot · cdotp · div ÷ pm ± mp ∓ oplus ⊕ ominus ⊖ otimes ⊗ oslash ⊘ odot ⊙ circledast ⊛ circledcirc
    ⊚ boxtimes ⊠ boxplus ⊞ cap ∩ cup ∪ sqcap ⊓ sqcup ⊔ uplus ⊎ vee ∨ lor ∨ wedge ∧ land ∧ setminus ∖
    smallsetminus ∖ wr ≀ amalg ⨿ ltimes ⋉ rtimes ⋊ bowtie ⋈ Join ⋈ le ≤ leq ≤ leqslant ⩽ ge ≥ geq ≥ geqslant ⩾
    ne ≠ neq ≠ lt < gt > ll ≪ gg ≫ lll ⋘ ggg ⋙ equiv ≡ sim ∼ simeq ≃ approx ≈ thickapprox ≈ thicksim ∼ cong ≅
    asymp ≍ doteq ≐ propto ∝ varpropto ∝ triangleq ≜ coloneqq ≔ coloneq ≔ eqqcolon ≕ eqcolon ≕ defeq ≔ lesssim
    ≲ gtrsim ≳ lessapprox ⪅ gtrapprox ⪆ prec ≺ succ ≻ preceq ⪯ succeq ⪰ preccurlyeq ≼ succcurlyeq ≽ precsim ≾
    succsim ≿ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ subsetneq ⊊ supsetneq ⊋ nsubseteq ⊈ sqsubset ⊏
    sqsubseteq ⊑ sqsupseteq ⊒ in ∈ ni ∋ notin ∉ owns ∋ mid | nmid ∤ parallel ∥ nparallel ∦ perp ⟂ independent
    ⫫ vdash ⊢ dashv ⊣ models ⊨ vDash ⊨ Vdash ⊩ to → rightarrow → leftarrow ← gets ← leftrightarrow ↔
    Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ implies ⟹ impliedby ⟸ iff ⟺ longrightarrow ⟶ longleftarrow ⟵
    longleftrightarrow ⟷ Longrightarrow ⟹ Longleftarrow ⟸ Longleftrightarrow ⟺ mapsto ↦ longmapsto ⟼
    hookrightarrow ↪ hookleftarrow ↩ rightharpoonup ⇀ rightharpoondown ⇁ leftharpoonup ↼ leftharpoondown ↽
    rightleftharpoons ⇌ leftrightharpoons ⇋ rightrightarrows ⇉ leftrightarrows ⇆ rightleftarrows ⇄
    twoheadrightarrow ↠ rightsquigarrow ⇝ leadsto ⇝ uparrow ↑ downarrow ↓ updownarrow ↕ Uparrow ⇑ Downarrow ⇓
    nearrow ↗ searrow ↘ swarrow ↙ nwarrow ↖ multimap ⊸ therefore ∴ because ∵ nrightarrow ↛ nleftarrow ↚ rhd ▷
    lhd ◁ unrhd ⊵ unlhd ⊴ triangleright ▷ triangleleft ◁ trianglelefteq ⊴ trianglerighteq ⊵ between ≬
    gtreqless ⋛ lesseqgtr ⋚ curlyeqprec ⋞ nless ≮ ngtr ≯ nleq ≰ ngeq ≱ ncong ≇ Vert ‖ backsim ∽
    curvearrowright ↷ circlearrowright ↻ circlearrowleft ↺ restriction ↾
""")
"""Signs between two things; blanks around them are kept or missing on both sides."""

FUNCTIONS = _words("""
    log ln lg exp sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth max min sup inf lim limsup
    liminf arg det dim ker deg gcd hom Pr
""")
"""Names that TeX sets upright, with a blank towards a neighbouring letter or digit."""

AUTHOR_FUNCTIONS = _words("""
    argmax argmin lcm sgn sign tr Tr trace rank diag span supp poly polylog polyloglog erf Var Cov vol conv
    softmax sigmoid relu ReLU nnz dist OPT opt NP GF logit spn mod bmod Prob
""")
"""Names that authors define to be set like them."""

AUTHOR_MACROS = _grouped(
    {
        r"\varepsilon": "eps",
        r"\mathbb{R}": "R RR reals Reals real Real bbR",
        r"\mathbb{N}": "N NN",
        r"\mathbb{Z}": "Z ZZ",
        r"\mathbb{E}": "E EE bbE",
        r"\mathbb{P}": "PP",
        r"\mathbb{Q}": "QQ",
        r"\mathbb{C}": "CC",
        r"\mathcal{O}": "bigO bigo calo calO cO Ocal gO",
        r"\widetilde{O}": "Otilde otilde Otil tO bigOtil",
        r"\mathcal{H}": "cH",
        r"\mathcal{A}": "cA",
        r"\mathcal{S}": "cS",
        r"\mathcal{N}": "cN",
        r"\mathcal{F}": "cF",
        r"\mathcal{X}": "cX",
        r"\mathcal{L}": "cL",
        r"\mathcal{D}": "cD",
        r"\mathbf{x}": "bx vx",
        r"\mathbf{X}": "bX",
        r"\mathbf{w}": "bw",
        r"\mathbf{W}": "bW",
        r"f^\star": "fstar",
        r"w^\star": "wstar",
        r"x^\star": "xstar",
    }
)
"""Macros that authors define for themselves and always alike."""

RESPELT = _pairs(r"""
    nicefrac \frac sfrac \frac textsc \text textup \text textmd \text mathds \mathbb mathbbm \mathbb bold
    \mathbf Tilde \tilde wt \widetilde Hat \hat Bar \bar Vec \vec
""")
"""Macros that the MathML converter doesn't know, by the name that it knows."""

MATHML_TAGS = _words("""
    math mrow mi mo mn mtext mspace msub msup msubsup mfrac msqrt mroot mover munder munderover mstyle mtable
    mtr mtd mpadded menclose mphantom mmultiscripts mprescripts
""")
MATHML_ATTRIBUTES = _words("""
    display alttext mathvariant stretchy fence form separator accent accentunder movablelimits linethickness
    columnalign columnlines rowlines rowspacing columnspacing displaystyle scriptlevel lspace rspace minsize
    maxsize symmetric notation width
""")

COMBINING = _grouped(
    {
        "\u0302": "hat widehat Hat",
        "\u0303": "tilde widetilde Tilde wt",
        "\u0304": "bar Bar overline",
        "\u20d7": "vec Vec",
        "\u0307": "dot",
        "\u0308": "ddot",
        "\u0301": "acute",
        "\u0300": "grave",
        "\u030c": "check",
        "\u0306": "breve",
        "\u030a": "mathring",
    }
)
"""Accents of math -> combining mark."""

FONTS = _words("""
    mathrm mathbf mathit mathsf mathtt mathnormal mathcal mathscr mathfrak mathbb mathbbm mathds boldsymbol bm
    pmb bold mathop mathbin mathrel mathord mathopen mathclose mathpunct mathinner ensuremath smash boxed
    operatorname underline mathup symbf mathbfcal mathpzc operatornamewithlimits text textrm textbf textit
    texttt textsf textsc textup textsl textnormal textmd mbox hbox emph fbox texttt underbar
""")
"""Macros of math whose argument shows as it is."""

TEXT_FONTS = _words("""
    text textrm textbf textit texttt textsf textsc textup textsl textnormal textmd mbox hbox emph fbox
""")
"""Those of them whose argument is text: its blanks count."""

OLD_FONTS = _words("""
    rm bf it sf tt sc sl em cal mit displaystyle textstyle scriptstyle scriptscriptstyle limits nolimits tiny
    small large Large footnotesize scriptsize normalsize mathstrut strut null relax allowbreak left right
    middle mleft mright big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bigm Bigm biggm boldmath
    unboldmath nobreak displaylimits protect nonumber notag upshape bfseries itshape
""")
"""Macros of math that show nothing themselves."""

_BLACKBOARD = "𝔸𝔹ℂ𝔻𝔼𝔽𝔾ℍ𝕀𝕁𝕂𝕃𝕄ℕ𝕆ℙℚℝ𝕊𝕋𝕌𝕍𝕎𝕏𝕐ℤ"
BLACKBOARD = {**dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", _BLACKBOARD, strict=True)), "1": "𝟙"}
"""Letters of `\\mathbb`."""

SUPERSCRIPTS = dict(zip("0123456789+-()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ", strict=True))
SUBSCRIPTS = dict(zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", strict=True))

STYLES = _grouped(
    {
        "em": "emph textit textsl term",
        "strong": "textbf bold strong",
        "code": "texttt code",
        "": "textsc textsf textrm textup textmd textnormal text mbox hbox fbox underline uline "
        "uwave mathrm alert hl st sout textls MakeUppercase uppercase lowercase textlatin "
        "textgreek title section paragraph caption smash ulem ul",
        "sup": "textsuperscript",
        "sub": "textsubscript",
        "quote": "enquote textquote",
        "note": "footnote thanks",
    }
)
"""Macros of the text with one argument -> its style; empty for none that a page shows."""

DECLARATIONS = _grouped(
    {
        "em": "em it sl itshape slshape",
        "strong": "bf bfseries",
        "code": "tt ttfamily",
        "": "romannumeral sc rm sf scshape sffamily rmfamily upshape normalfont tiny scriptsize footnotesize "
        "small normalsize large Large LARGE huge Huge centering noindent indent protect relax "
        "xspace boldmath selectfont "
        "raggedright mdseries left right big Big bigg Bigg bigl bigr Bigl Bigr displaystyle "
        "textstyle scriptstyle limits ignorespaces unskip null nolinkurl cal mathstrut strut "
        "nolimits",
    }
)
"""Macros of the text that work to the end of their group -> style."""

BREAKS = _words("""
    par newline linebreak item newpage bigbreak maketitle smallskip medskip bigskip
""")
"""Macros of the text that begin a new line."""

BLANKS = _words("""
    quad qquad enspace enskip thinspace medspace thickspace space hfill nobreakspace
""")
"""Macros of the text that are a blank."""

DROPPED = _grouped(
    {
        1: "label ref eqref pageref autoref cref Cref nameref vspace hspace includegraphics "
        "bibliography bibliographystyle color textcolor colorbox foreignlanguage "
        "selectlanguage input pagestyle thispagestyle index hypertarget hyperlink usepackage "
        "documentclass raisebox rotatebox scalebox",
        2: "fontsize setlength addtolength",
        3: "definecolor",
        0: "vskip hskip hyperref",
    }
)
"""Macros of the text whose first arguments are no text; the number of them."""

CITES = _grouped(
    {
        False: "cite citep citealp citeyear citeyearpar Citep nocite parencite autocite shortcite citenum footcite",
        True: "citet citealt citeauthor Citet textcite newcite Citeauthor fullcite citeN citeA bibentry citetext",
    }
)
"""Citation macros -> whether the citation is a word of its sentence (`by \\citet{..}`); its key then stays."""

MATH_ARGUMENTS = _grouped(
    {
        2: "frac dfrac tfrac cfrac nicefrac sfrac binom",
        1: "sqrt pmod mathcal mathbb mathbf mathsf mathfrak mathscr mathit mathtt mathds mathbbm boldsymbol "
        "bm pmb operatorname mathop " + " ".join(COMBINING),
    }
)
"""Macros of math that are met outside it -> the number of arguments."""

MATH_ENVIRONMENTS = _words("""
    equation equation* align align* eqnarray eqnarray* gather gather* multline multline* displaymath math
    alignat alignat* flalign flalign*
""")

LOST_BRACES = (
    "widetilde", "widehat", "mathfrak", "operatorname", "boldsymbol", "textsc", "textit", "textbf",
    "texttt", "textrm", "textsf", "mathcal", "mathscr", "mathbb", "mathbf", "mathrm", "mathsf", "mathit",
    "mathds", "mathtt", "emph", "sqrt", "text", "citep", "citet", "cite", "tilde", "hat", "bar", "log", "ln", "frac",
    "begin", "end", "bf", "em", "it",
)  # fmt: skip
"""Macros known at the head of a word whose braces were lost: `\\emphoblivious`; the longer first."""
