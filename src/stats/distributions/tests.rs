#![expect(
    clippy::excessive_precision,
    clippy::float_cmp,
    reason = "reference values are kept as they were computed; exact values are meant exactly"
)]

use super::*;

fn near(got: f64, expected: f64, relative: f64) {
    assert!(
        (got - expected).abs() <= relative * expected.abs(),
        "got {got:e}, expected {expected:e}"
    );
}

#[test]
fn all_reference_values_of_the_distributions() {
    let text = include_str!("../../../tests/data/reference/stats/distributions.json");
    let file: serde_json::Value = serde_json::from_str(text).unwrap();
    let mut seen = 0;
    for case in file["cases"].as_array().unwrap() {
        let inputs = &case["inputs"];
        let p: Vec<f64> = inputs["params"]
            .as_array()
            .unwrap()
            .iter()
            .map(|v| v.as_f64().unwrap())
            .collect();
        let x = inputs["x"].as_f64().unwrap();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole numbers"
        )]
        let whole = |x: f64| x as u64;
        let got = match (
            inputs["dist"].as_str().unwrap(),
            inputs["kind"].as_str().unwrap(),
        ) {
            ("norm", "p") => normal_cdf(x),
            ("norm", "s") => normal_sf(x),
            ("norm", "q") => normal_quantile(x).unwrap(),
            ("t", "s") => StudentT::new(p[0]).unwrap().sf(x),
            ("t", "q") => StudentT::new(p[0]).unwrap().quantile(x).unwrap(),
            ("chisq", "s") => ChiSquared::new(p[0]).unwrap().sf(x),
            ("chisq", "q") => ChiSquared::new(p[0]).unwrap().quantile(x).unwrap(),
            ("beta", "p") => Beta::new(p[0], p[1]).unwrap().cdf(x),
            ("beta", "s") => Beta::new(p[0], p[1]).unwrap().sf(x),
            ("beta", "q") => Beta::new(p[0], p[1]).unwrap().quantile(x).unwrap(),
            ("binom", "p") => Binomial::new(whole(p[0]), p[1]).unwrap().cdf(whole(x)),
            ("binom", "s") => Binomial::new(whole(p[0]), p[1]).unwrap().sf(whole(x)),
            #[expect(clippy::cast_precision_loss, reason = "small")]
            ("binom", "q") => Binomial::new(whole(p[0]), p[1])
                .unwrap()
                .quantile(x)
                .unwrap() as f64,
            other => panic!("{other:?}"),
        };
        let expected = case["expected"]["value"].as_f64().unwrap();
        assert!(
            (got - expected).abs() <= 1e-300 + 1e-9 * expected.abs(),
            "{inputs}: got {got:e}, expected {expected:e}"
        );
        seen += 1;
    }
    assert_eq!(seen, 245);
}

/// Values from mpmath 1.3 with 40 digits (quadrature of the density in the logit).
#[test]
fn beta_holds_for_shapes_up_to_a_million_million() {
    for (a, b, x, lower, upper) in [
        (
            5e11,
            5e11,
            0.499_999,
            0.022_750_131_950_987_33,
            0.977_249_868_049_012_67,
        ),
        (
            5e11,
            5e11,
            0.500_000_5,
            0.841_344_746_048_636_83,
            0.158_655_253_951_363_17,
        ),
        (
            1e12,
            3e11,
            0.769_23,
            0.018_686_551_086_059_131,
            0.981_313_448_913_940_87,
        ),
        (
            2000.5,
            1e6,
            0.0019,
            0.014_171_619_298_023_616,
            0.985_828_380_701_976_38,
        ),
        (
            1500.0,
            1200.0,
            0.5,
            3.726_935_185_500_406_5e-9,
            0.999_999_996_273_064_81,
        ),
        (
            1e7,
            1e7,
            0.4999,
            0.185_546_685_359_342_16,
            0.814_453_314_640_657_84,
        ),
        (
            0.5,
            1e12,
            1e-13,
            0.345_279_153_981_390_69,
            0.654_720_846_018_609_31,
        ),
        (
            3.0,
            1e12,
            2e-11,
            0.999_999_544_485_049_53,
            4.555_149_504_682_310_2e-7,
        ),
        (
            0.01,
            0.02,
            0.3,
            0.661_178_427_251_107_33,
            0.338_821_572_748_892_67,
        ),
        (
            0.001,
            5.0,
            1e-5,
            0.990_613_982_737_996_6,
            0.009_386_017_262_003_399_3,
        ),
    ] {
        let beta = Beta::new(a, b).unwrap();
        near(beta.cdf(x), lower, 1e-9);
        near(beta.sf(x), upper, 1e-9);
        let back = beta.quantile(lower).unwrap();
        near(back, x, 1e-9);
    }
}

/// Values from mpmath 1.3 with 40 digits.
#[test]
fn student_holds_at_both_ends_of_the_degrees_of_freedom() {
    for (df, t, sf) in [
        (1e7, 5.0, 2.866_564_037_504_269_5e-7),
        (0.3, 100.0, 0.087_790_389_196_510_693),
        (4.5, 1e-3, 0.499_622_453_256_075_8),
        (1000.0, 30.0, 7.687_343_722_021_741e-142),
        (50.0, 40.0, 6.206_211_892_186_352_8e-40),
    ] {
        let student = StudentT::new(df).unwrap();
        near(student.sf(t), sf, 1e-10);
        near(student.cdf(-t), sf, 1e-10);
        near(student.upper_quantile(sf).unwrap(), t, 1e-9);
    }
    near(
        StudentT::new(1e7).unwrap().quantile(0.975).unwrap(),
        1.959_964_221_767_205,
        1e-12,
    );
    near(
        StudentT::new(1e12).unwrap().quantile(0.975).unwrap(),
        1.959_963_984_542_426_2,
        1e-12,
    );
    near(
        StudentT::new(2.5).unwrap().quantile(0.500_000_1).unwrap(),
        2.763_891_341_083_162e-7,
        1e-8,
    );
    // So many degrees of freedom that the distribution is the normal one; both sides of the seam.
    for df in [4e15, 5e15, 1e16, 1e18, 1e300] {
        let student = StudentT::new(df).unwrap();
        near(student.sf(2.0), 0.022_750_131_948_179_207, 1e-12);
        near(student.cdf(2.0), 0.977_249_868_051_820_8, 1e-12);
        near(student.sf(30.0), 4.906_713_927_148_187e-198, 1e-9);
        near(
            student.quantile(0.975).unwrap(),
            1.959_963_984_540_054,
            1e-12,
        );
        assert_eq!(student.quantile(0.5).unwrap(), 0.0);
    }
    let heavy = StudentT::new(3.7).unwrap();
    let far = heavy.upper_quantile(1e-300).unwrap();
    near(heavy.sf(far), 1e-300, 1e-10);
    assert_eq!(StudentT::new(1.0).unwrap().sf(f64::INFINITY), 0.0);
    assert!(heavy.sf(f64::NAN).is_nan());
    assert!(StudentT::new(1e-300).unwrap().quantile(0.975).is_err());
}

/// Values from mpmath 1.3 with 40 digits.
#[test]
fn gamma_holds_for_small_and_large_shapes() {
    for (shape, x, lower, upper) in [
        (
            2000.0,
            1900.0,
            0.011_695_820_381_150_113,
            0.988_304_179_618_849_89,
        ),
        (2000.0, 2500.0, 1.0, 1.663_315_603_880_435_2e-25),
        (
            1e8,
            1e8 + 20_000.0,
            0.977_244_469_225_144_8,
            0.022_755_530_774_855_203,
        ),
        (
            1e8,
            1e8 - 50_000.0,
            2.854_642_139_958_626_1e-7,
            0.999_999_714_535_786,
        ),
        (
            0.1,
            1e-8,
            0.166_593_988_381_602_15,
            0.833_406_011_618_397_85,
        ),
        (0.5, 700.0, 1.0, 2.101_014_516_264_217_5e-306),
        (
            999.0,
            1100.0,
            0.999_046_047_031_712_37,
            0.000_953_952_968_287_633_76,
        ),
    ] {
        let gamma = Gamma::new(shape).unwrap();
        near(gamma.cdf(x), lower, 1e-9);
        near(gamma.sf(x), upper, 1e-9);
        if lower < 0.999 {
            near(gamma.quantile(lower).unwrap(), x, 1e-8);
        }
    }
}

/// Values from mpmath 1.3 with 40 digits.
#[test]
fn logarithms_of_gamma_beta_and_choose() {
    near(ln_beta(1e12, 1e12), -1_386_294_361_132.440_6, 1e-14);
    near(ln_beta(1e12, 0.5), -13.243_145_615_039_449, 1e-13);
    near(ln_beta(3.0, 20.0), -8.438_149_984_075_784_5, 1e-14);
    near(ln_beta(12.0, 1e9), -231.176_882_263_463_05, 1e-13);
    near(ln_beta(0.1, 0.2), 2.680_978_479_346_914_9, 1e-14);
    near(ln_choose(1e12, 5e11), 693_147_180_545.904_01, 1e-14);
    near(ln_choose(1e12, 3.0), 81.101_303_878_554_59, 1e-12);
    near(ln_choose(60.0, 30.0), 39.311_700_726_011_262, 1e-13);
    near(ln_choose(5.0, 0.0), 0.0, 0.0);
}

#[test]
fn normal_quantiles_reach_the_smallest_numbers() {
    near(
        normal_upper_quantile(1e-320).unwrap(),
        38.269_125_343_032_651,
        1e-12,
    );
    near(
        normal_upper_quantile(1e-300).unwrap(),
        37.047_096_299_361_199,
        1e-14,
    );
    near(
        normal_upper_quantile(1e-100).unwrap(),
        21.273_453_560_965_324,
        1e-14,
    );
    near(
        normal_quantile(1e-5).unwrap(),
        -4.264_890_793_922_824_6,
        1e-14,
    );
    near(
        normal_upper_quantile(0.4999).unwrap(),
        0.000_250_662_830_088_007_49,
        1e-10,
    );
    // The series takes over at 25: both sides must agree.
    near(ln_normal_sf(25.0), libm::log(normal_sf(25.0)), 1e-12);
}

#[test]
fn binomial_agrees_with_plain_summation() {
    for (n, p) in [(1_u64, 0.3), (7, 0.5), (40, 0.02), (40, 0.97), (300, 0.41)] {
        let law = Binomial::new(n, p).unwrap();
        let mut sum = 0.0;
        for k in 0..=n {
            sum += law.pmf(k);
            near(law.cdf(k), sum, 1e-12);
            assert!((law.sf(k) - (1.0 - sum)).abs() < 1e-12);
            if law.pmf(k) > 1e-12 && sum < 0.9 {
                assert_eq!(law.quantile(sum).unwrap(), k, "n {n} p {p}");
                assert_eq!(law.quantile(sum + 0.3 * law.pmf(k + 1)).unwrap(), k + 1);
            }
        }
        near(sum, 1.0, 1e-13);
    }
}

#[test]
fn certain_and_impossible_events() {
    let never = Binomial::new(5, 0.0).unwrap();
    assert_eq!((never.cdf(0), never.pmf(0), never.pmf(1)), (1.0, 1.0, 0.0));
    assert_eq!(never.quantile(1.0), Ok(0));
    let always = Binomial::new(5, 1.0).unwrap();
    assert_eq!(
        (always.cdf(4), always.at_least(5), always.pmf(5)),
        (0.0, 1.0, 1.0)
    );
    let none = Binomial::new(0, 0.5).unwrap();
    assert_eq!((none.pmf(0), none.cdf(0), none.sf(0)), (1.0, 1.0, 0.0));
    let beta = Beta::new(2.0, 3.0).unwrap();
    assert_eq!((beta.cdf(0.0), beta.cdf(1.0)), (0.0, 1.0));
    assert_eq!((beta.quantile(0.0), beta.quantile(1.0)), (Ok(0.0), Ok(1.0)));
    assert_eq!(Gamma::new(2.0).unwrap().quantile(0.0), Ok(0.0));
}

#[test]
fn parameters_out_of_range_are_errors_that_name_them() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Beta::new(bad, 1.0).unwrap_err().to_string().contains("`a`"));
        assert!(Beta::new(1.0, bad).unwrap_err().to_string().contains("`b`"));
        assert!(StudentT::new(bad).unwrap_err().to_string().contains("`df`"));
        assert!(Gamma::new(bad).is_err() && ChiSquared::new(bad).is_err());
    }
    for bad in [-0.1, 1.1, f64::NAN] {
        assert!(Binomial::new(3, bad).is_err());
        assert!(normal_quantile(bad).is_err());
        assert!(Beta::new(1.0, 1.0).unwrap().quantile(bad).is_err());
        assert!(Gamma::new(1.0).unwrap().quantile(bad).is_err());
        assert!(Binomial::new(3, 0.5).unwrap().quantile(bad).is_err());
    }
    assert!(Binomial::new(1 << 60, 0.5).is_err());
    assert!(Gamma::new(1.0).unwrap().quantile(1.0).is_err());
}
